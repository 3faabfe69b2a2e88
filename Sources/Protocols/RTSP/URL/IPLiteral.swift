import Foundation

/// An IPv4 or IPv6 address in its text form, an IPv6 one perhaps with a zone (`fe80::1%eth0`).
package struct IPLiteral: Sendable, Hashable {
    package let isIPv6: Bool
    /// Whether it stands for all addresses of a machine that listens.
    package let isUnspecified: Bool
    /// Whether one machine can have it: it is neither unspecified, nor of a group, nor for all.
    package let isOfOneMachine: Bool

    package init?(_ text: String) {
        // C would not look beyond it.
        guard !text.utf8.contains(0) else { return nil }
        // Bytes of the longer address.
        var address = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &address) == 1 {
            isIPv6 = false
            // RFC 1122, section 3.2.1.3; RFC 1112, section 4.
            isUnspecified = address[..<4].allSatisfy { $0 == 0 }
            isOfOneMachine = (1..<224).contains(address[0])
            return
        }
        // A zone is for the kernel to judge; the address before it is ours.
        let unzoned = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        guard inet_pton(AF_INET6, String(unzoned), &address) == 1 else { return nil }
        isIPv6 = true
        // RFC 4291, sections 2.5.2, 2.5.5.2 and 2.7.
        let isMapped = address[..<12].elementsEqual([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        isUnspecified = address.allSatisfy { $0 == 0 }
        isOfOneMachine = isMapped ? (1..<224).contains(address[12]) : address[0] != 0xFF && !isUnspecified
    }

    /// A host as it stands before a port: an IPv6 address in brackets (RFC 3986, section 3.2.2).
    package static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
