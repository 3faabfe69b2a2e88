import Foundation

/// An IPv4 or IPv6 address in its text form, an IPv6 one perhaps with a zone (`fe80::1%eth0`).
package struct IPLiteral: Sendable, Hashable {
    /// Four, or the 16 of IPv6.
    package let bytes: [UInt8]

    package init?(_ text: String) {
        // C functions would ignore everything behind a NUL.
        guard !text.utf8.contains(0) else { return nil }
        var address = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &address) == 1 {
            bytes = Array(address.prefix(4))
            return
        }
        // A zone is for the kernel to judge; the address before it is ours.
        let unzoned = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        guard inet_pton(AF_INET6, String(unzoned), &address) == 1 else { return nil }
        bytes = address
    }

    package var isIPv6: Bool { bytes.count > 4 }

    /// Whether it stands for all addresses of a machine that listens (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.2).
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether it is the machine that uses it (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
    package var isLoopback: Bool {
        v4.map { $0.first == 127 } ?? (bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 })
    }

    /// Whether one machine can have it: it is neither unspecified, nor of a group, nor for all.
    package var isOfOneMachine: Bool {
        // RFC 1112, section 4; RFC 4291, section 2.7.
        v4?.first.map { (1..<224).contains($0) } ?? (bytes[0] != 0xFF && !isUnspecified)
    }

    /// The bytes of an IPv4 address, also in the form of IPv6 (RFC 4291, section 2.5.5.2).
    private var v4: ArraySlice<UInt8>? {
        let isMapped = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        return isMapped || !isIPv6 ? bytes.suffix(4) : nil
    }

    /// Whether a host is the machine that uses its name: `localhost`, or a loopback address.
    ///
    /// A name such as `127.example.org` may be any host.
    package static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || IPLiteral(host)?.isLoopback == true
    }

    /// A host as it stands before a port: an IPv6 address in brackets (RFC 3986, section 3.2.2).
    package static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
