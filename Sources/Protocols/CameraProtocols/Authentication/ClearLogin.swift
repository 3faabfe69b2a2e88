/// What a server may learn of user and password over a connection that is not encrypted.
package enum ClearLogin: Sendable, Hashable {
    /// Nothing.
    case never
    /// A Digest response: it does not hold the password, but whoever listens can try passwords out.
    case digest
    /// The password itself (Basic), too, if the server asks for nothing better.
    case any
}
