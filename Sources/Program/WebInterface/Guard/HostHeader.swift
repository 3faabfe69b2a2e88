/// The host and port of a `Host` or `Origin` header.
struct HostHeader: Sendable, Hashable {
    /// The host in small letters, IPv6 without brackets.
    var host: String
    var port: String?

    /// Reads `host[:port]`; nil for anything else.
    init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        var rest = Substring(text)
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
        } else {
            host = String(rest.prefix { $0 != ":" })
            rest = rest.dropFirst(host.count)
        }
        let isHost = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"/@?#[]\\".utf8.contains($0) }
        guard !host.isEmpty, isHost, rest.isEmpty || rest.hasPrefix(":") else { return nil }
        port = rest.isEmpty ? nil : String(rest.dropFirst())
        if let port, port.isEmpty || !port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return nil }
    }

    /// Reads the origin of a page: `http://host[:port]`; nil for `null` and anything else.
    init?(origin text: String) {
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
        self.init(text.dropFirst(scheme.count))
    }

    /// Whether no other site can own it: an IP address, or this machine's own name.
    ///
    /// A stranger's name can be made to lead here (DNS rebinding); an address cannot.
    var isLiteral: Bool {
        host == "localhost" || host.contains(":")
            || host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }.allSatisfy { $0 != nil }
                && host.count(where: { $0 == "." }) == 3
    }
}
