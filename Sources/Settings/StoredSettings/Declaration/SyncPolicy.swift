/// What happens to one setting at each event of a remote store.
public struct SyncPolicy: Sendable, Hashable {
    /// What the setting is called in the remote store, apart from the prefix that ``SettingsModel/synchronize(with:keyPrefix:options:)``
    /// was given; nil for the scope, a slash and its key here.
    public var key: String?
    /// The remote value was changed while we were connected.
    public var onRemoteChange: SyncAction
    /// The remote value was there when we connected.
    public var onInitialSync: SyncAction
    /// The remote store is another one than last time.
    public var onAccountChange: SyncAction

    /// Follows the remote value, and keeps ours when the remote store is another one than last time, unless told.
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
/// A value that was changed here and not yet sent is newer than any news, and is sent whatever the action; only another
/// account does not get it unasked.
public enum SyncAction: String, Sendable, Hashable, CaseIterable {
    /// The key goes back to its default, here and there.
    case defaultValue = "default_value"
    /// What is stored here stays, and replaces what is there.
    ///
    /// When the two meet for the first time and nothing is stored here, what is there is taken.
    case cachedValue = "cached_value"
    /// What is there replaces what is stored here; a key that was removed there goes back to its default here.
    ///
    /// When the two meet for the first time and nothing is there, what is stored here is sent. Another account's empty place
    /// is taken as it is.
    case remoteValue = "remote_value"
    /// Both stay as they are, until one of them changes.
    case ignore
}

/// Why a remote value is read.
package enum SyncEvent: CaseIterable {
    /// It was changed just now.
    case remoteChange
    /// It was there when this program connected.
    case initialSync
    /// It was there when this program connected to another account than before.
    case accountChange
}

extension SyncPolicy {
    package func action(for event: SyncEvent) -> SyncAction {
        switch event {
        case .remoteChange: onRemoteChange
        case .initialSync: onInitialSync
        case .accountChange: onAccountChange
        }
    }
}
