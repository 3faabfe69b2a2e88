extension SettingsStore {
    /// The changes of this process and of others, from now on.
    ///
    /// A slow reader gets one value with all that changed since; nothing is lost and nothing piles up. It ends when the store
    /// is closed.
    public func changes() -> AsyncStream<StoreChanges> {
        let unread = LockedValue(StoreChanges())
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observer = StoreObserver { changes in
            guard !changes.isEmpty else { return }
            unread.update { $0.add(changes) }
            wake.yield()
        } end: {
            wake.finish()
        }
        add(observer)
        // The stream keeps the observer alive.
        return AsyncStream { [observer] in
            defer { withExtendedLifetime(observer) {} }
            var iterator = wakes.makeAsyncIterator()
            var isEnded = false
            while true {
                let changes = unread.exchange(StoreChanges())
                // Changes from before the end are still read.
                if !changes.isEmpty { return changes }
                if isEnded { return nil }
                isEnded = await iterator.next() == nil
            }
        }
    }
}
