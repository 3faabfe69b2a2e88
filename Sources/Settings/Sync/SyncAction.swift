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
