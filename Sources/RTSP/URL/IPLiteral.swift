import NIOCore

/// An IPv4 or IPv6 address in its text form, an IPv6 one perhaps with a zone (`fe80::1%eth0`).
struct IPLiteral: Sendable, Hashable {
    let isIPv6: Bool

    init?(_ text: String) {
        // A zone is for the kernel to judge; the address before it is ours.
        let address = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
        guard let address, let parsed = try? SocketAddress(ipAddress: address, port: 0) else { return nil }
        isIPv6 = parsed.protocol == .inet6
        if !isIPv6, address.utf8.count != text.utf8.count { return nil }
    }
}
