/// Which value wins when a remote store has one of its own.
public enum SyncAction: String, Sendable, Hashable, CaseIterable {
    /// The key goes back to its default, here and there.
    case defaultValue = "default_value"
    /// What is stored here stays, and replaces what is there.
    case cachedValue = "cached_value"
    /// What is there replaces what is stored here.
    case remoteValue = "remote_value"
    /// Both stay as they are.
    case ignore
}
