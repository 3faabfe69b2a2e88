import Dispatch
import Synchronization

/// Calls a closure at a low rate on a queue of its own, from the first ``start()`` until it is released.
package final class Ticker: Sendable {
    private let interval: Duration
    private let tick: @Sendable () -> Void
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    /// Makes one that does not tick yet.
    package init(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.tick = tick
    }

    deinit { stop() }

    /// Begins to tick; once is enough.
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
            source.setEventHandler(handler: tick)
            source.activate()
            timer = source
        }
    }

    /// Ends it.
    package func stop() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
    }
}
