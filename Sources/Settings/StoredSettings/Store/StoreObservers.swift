import Dispatch
import Platform
import Synchronization

/// Receives what is committed to a store, as long as somebody holds it; see ``SettingsStore/add(_:)``.
public final class StoreObserver: Sendable {
    /// Receives the changes of one or more commits.
    public let receive: @Sendable (StoreChanges) -> Void
    let end: @Sendable () -> Void

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - receive: Gets the changes of one or more commits. It may read the store, and must not wait for a transaction.
    ///   - end: Is called when the store is closed.
    public init(_ receive: @escaping @Sendable (StoreChanges) -> Void, end: @escaping @Sendable () -> Void = {}) {
        (self.receive, self.end) = (receive, end)
    }
}

/// The observers of a store, which receive its commits in order; for stores.
///
/// A store calls ``enqueue(_:)`` where it knows the order, perhaps under its own lock, and ``deliver()`` without a lock.
public final class StoreObservers: Sendable {
    private struct State {
        var observers = WeakList<StoreObserver>()
        var queue: [StoreChanges] = []
        var isFinished = false
    }

    private let state = Mutex(State())
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)
    /// Held during delivery, so that no later change overtakes; `deliverer` is the thread that holds it.
    private let turn = Mutex(())
    private let deliverer = Atomic<UInt>(0)

    /// Begins without observers.
    public init() {}

    deinit { finish() }

    /// Adds an observer, and does not keep it alive.
    public func add(_ observer: StoreObserver) {
        let isFinished = state.withLock { state in
            state.observers.add(observer)
            return state.isFinished
        }
        if isFinished { observer.end() }
    }

    /// Adds an observer; `look` is called at each interval, to look for the commits of other processes, as long as there is
    /// an observer.
    public func add(
        _ observer: StoreObserver,
        lookingEvery interval: Duration,
        _ look: @escaping @Sendable () -> Void
    ) {
        add(observer)
        timer.withLock { timer in
            guard timer == nil else { return }
            let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "settings.watch"))
            let pause = Int(interval / .milliseconds(1))
            source.schedule(
                deadline: .now() + .milliseconds(pause),
                repeating: .milliseconds(pause),
                leeway: .milliseconds(pause / 5)
            )
            source.setEventHandler { [weak self] in
                if self?.hasObservers() == true { look() }
            }
            source.activate()
            timer = source
        }
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
            while let (changes, observers) = next() { for observer in observers { observer.receive(changes) } }
        }
    }

    private func next() -> (StoreChanges, [StoreObserver])? {
        state.withLock { state in
            state.queue.isEmpty ? nil : (state.queue.removeFirst(), state.observers.objects)
        }
    }

    /// Tells all observers of changes that are durable; for a store whose commits have one thread.
    public func tell(_ changes: StoreChanges) {
        enqueue(changes)
        deliver()
    }

    /// Stops looking, and tells the observers that the store is closed.
    public func finish() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
        let observers = state.withLock { state in
            state.isFinished = true
            return state.observers.objects
        }
        for observer in observers { observer.end() }
    }
}
