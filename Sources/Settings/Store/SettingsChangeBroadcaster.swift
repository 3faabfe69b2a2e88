import Synchronization

/// Tells any number of readers which scopes changed; for those who write a store.
///
/// Each reader has one value, which grows until it is read.
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

    /// Makes one without readers.
    package init() {}

    /// The changes that are sent from now on.
    package func changes(
        where isWanted: @escaping @Sendable (_ scope: String) -> Bool = { _ in true }
    ) -> AsyncStream<StoreChanges> {
        let reader = Reader(isWanted)
        readers.withLock { $0.add(reader) }
        return AsyncStream { await reader.next() }
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

    /// Ends all streams, once what was sent has been read.
    package func finish() {
        for reader in readers.withLock(\.objects) { reader.wake.finish() }
    }

    /// Whether anybody listens.
    package var hasReaders: Bool { !readers.withLock(\.objects).isEmpty }
}
