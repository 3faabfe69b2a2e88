/// What happens to one setting at each event of a remote store.
public struct SyncPolicy: Sendable, Hashable {
    /// Somebody changed the remote value while we were connected.
    public var onRemoteChange: SyncAction
    /// The remote value was there when we connected.
    public var onInitialSync: SyncAction
    /// The remote store is another one than last time.
    public var onAccountChange: SyncAction

    /// Follows the remote value, and keeps ours when the remote store is another one than last time, unless told.
    public init(
        onRemoteChange: SyncAction = .remoteValue,
        onInitialSync: SyncAction = .remoteValue,
        onAccountChange: SyncAction = .cachedValue
    ) {
        self.onRemoteChange = onRemoteChange
        self.onInitialSync = onInitialSync
        self.onAccountChange = onAccountChange
    }
}
