import CameraProtocols
import NIOCore

struct Peer: Sendable, Hashable {
    /// The proxy of Home Assistant's Supervisor, from which all requests through ingress come.
    static let ingress = Peer(address: "172.30.32.2")

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

    /// The bytes of its address, of IPv6 the /64; its text if it is no IP address.
    var network: [UInt8] {
        (IPLiteral(address)?.bytes.prefix(8)).map(Array.init) ?? Array(address.utf8)
    }

    var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }
}
