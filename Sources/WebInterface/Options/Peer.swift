import NIOCore

/// The other end of a connection.
struct Peer: Sendable, Hashable {
    /// The proxy of Home Assistant's Supervisor, from which all requests through ingress come.
    static let ingress = Peer(address: "172.30.32.2")

    /// Its IP address.
    var address: String

    init(address: String) {
        // A socket for both families shows IPv4 addresses as mapped ones (RFC 4291, section 2.5.5.2).
        let mapped = "::ffff:"
        self.address =
            address.hasPrefix(mapped) && address.contains(".") ? String(address.dropFirst(mapped.count)) : address
    }

    /// Nil for what has no IP address.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.init(address: text)
    }

    /// Whether it is on this machine.
    var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }
}
