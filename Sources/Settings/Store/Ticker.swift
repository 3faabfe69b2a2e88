import Dispatch
import Synchronization

/// Calls a closure at a low rate on a queue of its own, while there is somebody for whom.
package final class Ticker: Sendable {
    private let interval: Duration
    private let isNeeded: @Sendable () -> Bool
    private let tick: @Sendable () -> Void
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    /// Makes one that does not tick yet.
    ///
    /// - Parameters:
    ///   - interval: The time between two calls.
    ///   - isNeeded: Asked before each call; false ends the ticking, until the next ``start()``.
    ///   - tick: What is called.
    package init(
        every interval: Duration,
        while isNeeded: @escaping @Sendable () -> Bool,
        _ tick: @escaping @Sendable () -> Void
    ) {
        self.interval = interval
        self.isNeeded = isNeeded
        self.tick = tick
    }

    deinit { stop() }

    /// Whether it ticks.
    package var isTicking: Bool { timer.withLock { $0 != nil } }

    /// Begins to tick; to be called after the change that makes it needed.
    package func start() {
        timer.withLock { timer in
            guard timer == nil else { return }
            let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "settings.ticker"))
            let milliseconds = Int(interval / .milliseconds(1))
            source.schedule(
                deadline: .now() + .milliseconds(milliseconds),
                repeating: .milliseconds(milliseconds),
                leeway: .milliseconds(milliseconds / 5)
            )
            source.setEventHandler { [weak self, tick] in
                if self?.goesOn() == true { tick() }
            }
            source.activate()
            timer = source
        }
    }

    /// Ends the ticking.
    package func stop() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
    }

    private func goesOn() -> Bool {
        // Under the lock: a caller of start() that comes now makes it needed before it gets the lock.
        timer.withLock { timer in
            if isNeeded() { return true }
            timer?.cancel()
            timer = nil
            return false
        }
    }
}
