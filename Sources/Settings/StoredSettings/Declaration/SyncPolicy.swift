/// What happens to one setting at each event of a remote store.
public struct SyncPolicy: Sendable, Hashable {
    /// The name in the remote store, after the prefix given to ``SettingsModel/synchronize(with:keyPrefix:)``; nil for
    /// the key here, after that prefix, or after the scope and a slash if no prefix was given.
    public var key: String?
    /// The remote value was changed while we were connected.
    public var onRemoteChange: SyncAction
    /// The remote value was there when we connected.
    public var onInitialSync: SyncAction
    /// The remote store is another one than last time.
    public var onAccountChange: SyncAction

    /// By default, follows the remote value, and keeps the local one when the account is another one than last time.
    public init(
        key: String? = nil,
        onRemoteChange: SyncAction = .remoteValue,
        onInitialSync: SyncAction = .remoteValue,
        onAccountChange: SyncAction = .cachedValue
    ) {
        self.key = key
        self.onRemoteChange = onRemoteChange
        self.onInitialSync = onInitialSync
        self.onAccountChange = onAccountChange
    }
}

/// Which value wins when a remote store has news of a key.
///
/// A local value that is not yet sent counts as the newest one, and is sent whatever the action. Only after a change of
/// account the action decides.
public enum SyncAction: String, Sendable, Hashable, CaseIterable {
    /// The key goes back to its default on both sides.
    case defaultValue = "default_value"
    /// The local value stays, and replaces the remote one.
    ///
    /// In the first exchange, a key without a local value takes the remote one.
    case cachedValue = "cached_value"
    /// The remote value replaces the local one; a key that was removed there goes back to its default here.
    ///
    /// In the first exchange, and after the remote store has lost all of several values, a key without a remote value sends
    /// the local one; but after a change of account it goes back to its default.
    case remoteValue = "remote_value"
    /// Both stay as they are, until one of them changes.
    case ignore
}
