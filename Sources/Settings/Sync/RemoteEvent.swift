/// What a remote store tells of itself.
public enum RemoteEvent: Sendable, Hashable {
    /// It can be reached, and all that it holds is to be compared: after a start, a lost connection, or a change of account.
    case connected
    /// It cannot be reached for now; what is assigned meanwhile is sent later.
    case disconnected(SyncError = .offline)
    /// Somebody changed or removed the values of these keys; our own writes need not be told.
    case changed(Set<String>)
}
