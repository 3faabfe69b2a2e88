/// The end of what the peer sends; ``TLSHandler`` fires it as a user event, once.
public enum TLSInputClosed: Sendable, Hashable {
    /// The peer said so with close_notify (RFC 8446, 6.1).
    case closeNotify
    /// The connection just ended: what was received may be incomplete.
    case truncated
}
