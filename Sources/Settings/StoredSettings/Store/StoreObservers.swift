import Concurrency
import Dispatch
import Platform
import Synchronization

/// Receives what is committed to a store, as long as somebody holds it; see ``SettingsStore/add(_:)``.
public final class StoreObserver: Sendable {
    /// Receives the changes of one or more commits.
    public let receive: @Sendable (StoreChanges) -> Void

    /// Makes an observer; `receive` may read the store, and must not wait for a transaction.
    public init(_ receive: @escaping @Sendable (StoreChanges) -> Void) { self.receive = receive }
}

/// The observers of a store, which receive its commits in order; for stores.
///
/// A store calls ``enqueue(_:)`` where it knows the order, perhaps under its own lock, and ``deliver()`` without a lock.
public final class StoreObservers: Sendable {
    private struct State {
        var observers = WeakList<StoreObserver>()
        var queue: [StoreChanges] = []
        /// Why the last look failed.
        var fault: SettingsError?
    }

    private let state = Mutex(State())
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)
    /// Held during delivery, so that no later change overtakes; `deliverer` is the thread that holds it.
    private let turn = Mutex(())
    private let deliverer = Atomic<UInt>(0)

    /// Begins without observers.
    public init() {}

    deinit { stopLooking() }

    /// Adds an observer, and does not keep it alive.
    public func add(_ observer: StoreObserver) { state.withLock { $0.observers.add(observer) } }

    /// Adds an observer; `look` is called at each interval, to look for the commits of other processes, as long as there is
    /// an observer.
    ///
    /// When `look` throws, the observers are told once that the store cannot be read.
    public func add(
        _ observer: StoreObserver,
        lookingEvery interval: Duration,
        _ look: @escaping @Sendable () throws -> Void
    ) {
        add(observer)
        timer.withLock { timer in
            guard timer == nil else { return }
            let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "settings.watch"))
            let milliseconds = Int(interval / .milliseconds(1))
            let pause = DispatchTimeInterval.milliseconds(milliseconds)
            source.schedule(deadline: .now() + pause, repeating: pause, leeway: .milliseconds(milliseconds / 5))
            source.setEventHandler { [weak self] in
                guard let self, hasObservers() else { return }
                do {
                    try look()
                    note(nil)
                } catch { note(SettingsError(error)) }
            }
            source.activate()
            timer = source
        }
    }

    private func note(_ fault: SettingsError?) {
        let isNew = state.withLock { state in
            defer { state.fault = fault }
            return state.fault != fault
        }
        if isNew, let fault { tell(StoreChanges(fault: fault)) }
    }

    package var isLooking: Bool { timer.withLock { $0 != nil } }

    private func hasObservers() -> Bool {
        // Under the timer's lock: an observer that is added now is seen here, or starts the timer again.
        timer.withLock { timer in
            if !state.withLock(\.observers.objects).isEmpty { return true }
            timer?.cancel()
            timer = nil
            return false
        }
    }

    /// Appends changes that are durable to those that are to be delivered.
    public func enqueue(_ changes: StoreChanges) {
        if !changes.isEmpty { state.withLock { $0.queue.append(changes) } }
    }

    /// Delivers the enqueued changes before it returns; if an observer calls it while receiving, the outer call delivers.
    public func deliver() {
        let thread = currentThread()
        guard deliverer.load(ordering: .relaxed) != thread else { return }
        turn.withLock { _ in
            deliverer.store(thread, ordering: .relaxed)
            defer { deliverer.store(0, ordering: .relaxed) }
            while let (changes, observers) = state.withLock({ state in
                state.queue.isEmpty ? nil : (state.queue.removeFirst(), state.observers.objects)
            }) {
                for observer in observers { observer.receive(changes) }
            }
        }
    }

    /// Tells all observers of changes that are durable; for a store whose commits have one thread.
    public func tell(_ changes: StoreChanges) {
        enqueue(changes)
        deliver()
    }

    /// Stops looking for the commits of other processes; for a store that is closed.
    public func stopLooking() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
    }
}
