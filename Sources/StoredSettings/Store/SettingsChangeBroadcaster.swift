import Dispatch
import Synchronization

/// Tells any number of readers which scopes changed; for stores.
///
/// Each reader has one value, which grows until it is read. All streams end with the broadcaster.
package final class SettingsChangeBroadcaster: Sendable {
    private final class Reader: Sendable {
        let isWanted: @Sendable (String) -> Bool
        let changes = Mutex(StoreChanges([]))
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

        init(_ isWanted: @escaping @Sendable (String) -> Bool) { self.isWanted = isWanted }

        func next() async -> StoreChanges? {
            for await _ in wakes {
                let changes = changes.withLock { changes in
                    defer { changes = StoreChanges([]) }
                    return changes
                }
                if !changes.scopes.isEmpty { return changes }
            }
            return nil
        }
    }

    private let readers = Mutex(WeakList<Reader>())
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    package init() {}

    deinit { finish() }

    /// The changes that are sent from now on.
    package func changes(
        where isWanted: @escaping @Sendable (_ scope: String) -> Bool = { _ in true }
    ) -> AsyncStream<StoreChanges> {
        let reader = Reader(isWanted)
        readers.withLock { $0.add(reader) }
        return AsyncStream { await reader.next() }
    }

    /// The changes that are sent from now on; `look` looks for those of other processes, as long as there is a reader.
    package func changes(
        where isWanted: @escaping @Sendable (_ scope: String) -> Bool,
        lookingEvery interval: Duration,
        _ look: @escaping @Sendable () -> Void
    ) -> AsyncStream<StoreChanges> {
        let changes = changes(where: isWanted)
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
                if self?.goesOnLooking() == true { look() }
            }
            source.activate()
            timer = source
        }
        return changes
    }

    /// Whether a timer looks for the changes of other processes.
    package var isLooking: Bool { timer.withLock { $0 != nil } }

    private func goesOnLooking() -> Bool {
        // Under the timer's lock: a reader that comes now either is seen here, or starts the timer anew.
        timer.withLock { timer in
            if !readers.withLock(\.objects).isEmpty { return true }
            timer?.cancel()
            timer = nil
            return false
        }
    }

    /// Tells all readers; must be called after the changes are durable.
    package func send(_ changes: StoreChanges) {
        for reader in readers.withLock(\.objects) {
            let wanted = changes.filter(reader.isWanted)
            guard !wanted.scopes.isEmpty else { continue }
            reader.changes.withLock { $0.add(wanted) }
            reader.wake.yield()
        }
    }

    /// Tells all readers of scopes that they have to read.
    package func send(_ scopes: Set<String>) { send(StoreChanges(scopes)) }

    /// Stops looking, and ends all streams once what was sent has been read.
    package func finish() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
        for reader in readers.withLock(\.objects) { reader.wake.finish() }
    }
}
