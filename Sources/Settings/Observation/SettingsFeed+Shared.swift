import Synchronization

extension SettingsFeed {
    private struct WeakFeed {
        weak let feed: SettingsFeed?
    }

    /// By store; a feed holds its store, so that no other can have the same identity meanwhile.
    private static let feeds = Mutex<[ObjectIdentifier: WeakFeed]>([:])

    /// One for all models of a store, so that a change is brought once and not to each model; a store that is a value, and so
    /// cannot be told from others, gets one for each.
    static func shared(by store: any SettingsStore) -> SettingsFeed {
        guard let identity = identity(of: store) else { return SettingsFeed(store) }
        if let feed = feeds.withLock({ $0[identity]?.feed }) { return feed }
        // Not under the lock: the store belongs to others. If two do this at a time, the first one's feed stays.
        let new = SettingsFeed(store)
        return feeds.withLock { feeds in
            if let feed = feeds[identity]?.feed { return feed }
            feeds[identity] = WeakFeed(feed: new)
            return new
        }
    }

    /// Forgets the feed of a store, when it goes and none has taken its place.
    static func forget(_ store: any SettingsStore) {
        guard let identity = identity(of: store) else { return }
        // Held until the lock is free: to be the last to let go of it means to come back here.
        let successor = feeds.withLock { feeds in
            let feed = feeds[identity]?.feed
            if feed == nil { feeds[identity] = nil }
            return feed
        }
        withExtendedLifetime(successor) {}
    }

    private static func identity(of store: any SettingsStore) -> ObjectIdentifier? {
        type(of: store) is AnyClass ? ObjectIdentifier(store as AnyObject) : nil
    }
}
