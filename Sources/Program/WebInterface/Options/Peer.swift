import NIOCore
import Platform

/// The other end of a connection.
struct Peer: Sendable, Hashable {
    let address: String

    init(address: String) {
        // A socket for both families shows IPv4 addresses as mapped ones (RFC 4291, section 2.5.5.2).
        let mapped = "::ffff:"
        self.address =
            address.hasPrefix(mapped) && address.contains(".") ? String(address.dropFirst(mapped.count)) : address
    }

    /// Nil for what has no IP address.
    init?(_ channel: any Channel) {
        guard let address = channel.remoteAddress?.ipAddress else { return nil }
        self.init(address: address)
    }

    /// Whether it is this machine, by an address that no other one has.
    ///
    /// Its own address in the network is no proof: forwarded ports of containers and proxies connect by it, too.
    var isLoopback: Bool { IPLiteral(address)?.isLoopback == true }

    /// Whether it is the proxy of Home Assistant's Supervisor, from which all requests through ingress come.
    var isIngress: Bool { address == "172.30.32.2" }

    /// The bytes of its address, of IPv6 the /64; its text if it is no IP address.
    var network: [UInt8] {
        (IPLiteral(address)?.bytes.prefix(8)).map(Array.init) ?? Array(address.utf8)
    }
}
