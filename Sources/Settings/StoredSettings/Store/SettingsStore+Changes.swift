import Synchronization

extension SettingsStore {
    /// The changes of this process and of others, from now on.
    ///
    /// A slow reader gets one value with all that changed since; nothing is lost and nothing piles up. It ends when the store
    /// is closed.
    public func changes() -> AsyncStream<StoreChanges> {
        let reader = ChangeReader()
        add(reader.observer)
        return AsyncStream { await reader.next() }
    }
}

/// One reader of a stream of changes; its one value grows until it is read.
private final class ChangeReader: Sendable {
    let observer: StoreObserver
    private let box: Box

    private final class Box: Sendable {
        let changes = Mutex(StoreChanges())
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    init() {
        let box = Box()
        self.box = box
        observer = StoreObserver { changes in
            guard !changes.isEmpty else { return }
            box.changes.withLock { $0.add(changes) }
            box.wake.yield()
        } end: {
            box.wake.finish()
        }
    }

    func next() async -> StoreChanges? {
        while true {
            let changes = box.changes.withLock { changes in
                defer { changes = StoreChanges() }
                return changes
            }
            if !changes.isEmpty { return changes }
            var wakes = box.wakes.makeAsyncIterator()
            // Changes from before the end are still read.
            if await wakes.next() == nil { return box.changes.withLock { $0.isEmpty ? nil : $0 } }
        }
    }
}
