import CameraProtocols
import Platform

/// The host and port of a `Host` or `Origin` header.
struct HostHeader: Sendable, Hashable {
    /// The host in small letters, IPv6 without brackets.
    var host: String
    var port: String?

    /// Reads `host[:port]`; nil for anything else.
    init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let isLiteral = bytes.first == UInt8(ascii: "[")
        let end = bytes.firstIndex(of: UInt8(ascii: isLiteral ? "]" : ":")) ?? bytes.count
        let host = bytes[(isLiteral ? 1 : 0)..<end]
        let rest = bytes[end...].dropFirst(isLiteral ? 1 : 0)
        let digits = rest.dropFirst()
        guard !host.isEmpty, host.allSatisfy({ (0x21...0x7E).contains($0) && !"/@?#[]\\".utf8.contains($0) }),
            !isLiteral || end < bytes.count,
            rest.isEmpty || rest.first == UInt8(ascii: ":") && !digits.isEmpty,
            digits.allSatisfy(ASCII.isDigit)
        else { return nil }
        self.host = String(decoding: host, as: UTF8.self).lowercased()
        port = digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }

    /// Reads the origin of a page: `http://host[:port]`; nil for `null` and anything else.
    init?(origin text: String) {
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
        self.init(text.dropFirst(scheme.count))
    }

    /// Whether no other site can own it: any other name can be made to lead here (DNS rebinding).
    var isLiteral: Bool { host == "localhost" || IPLiteral(host) != nil }
}
