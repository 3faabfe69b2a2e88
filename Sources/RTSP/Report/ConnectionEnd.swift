/// How a connection ended without our doing.
enum ConnectionEnd: Sendable, Hashable {
    /// The server closed it in order.
    case closed
    /// The server, or something on the way, reset it.
    case reset

    /// What the server did, for people.
    var verb: String { self == .reset ? "reset" : "closed" }
}
