/// Why a remote store's value is looked at.
public enum SyncEvent: String, Sendable, Hashable, CaseIterable {
    /// Somebody changed it just now.
    case remoteChange = "remote_change"
    /// It was there when this program connected.
    case initialSync = "initial_sync"
    /// It was there when this program connected to another account than before.
    case accountChange = "account_change"
}

extension SyncPolicy {
    /// What is done on an event.
    public func action(for event: SyncEvent) -> SyncAction {
        switch event {
        case .remoteChange: onRemoteChange
        case .initialSync: onInitialSync
        case .accountChange: onAccountChange
        }
    }
}
