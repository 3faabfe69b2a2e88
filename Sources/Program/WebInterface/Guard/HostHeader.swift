import RTSP

/// The host and port of a `Host` or `Origin` header.
struct HostHeader: Sendable, Hashable {
    /// The host in small letters, IPv6 without brackets.
    var host: String
    var port: String?

    /// Reads `host[:port]`; nil for anything else.
    init?(_ text: some StringProtocol) {
        let header =
            #/
            (?: \[ (?<literal>[\x21-\x7e&&[^/@?\#\[\]\\]]+) \] | (?<name>[\x21-\x7e&&[^/@?\#\[\]\\:]]+) )
            (?: : (?<port>[0-9]+) )?
            /#.matchingSemantics(.unicodeScalar)
        guard let match = text.lowercased().wholeMatch(of: header), let host = match.literal ?? match.name else {
            return nil
        }
        (self.host, port) = (String(host), match.port.map(String.init))
    }

    /// Reads the origin of a page: `http://host[:port]`; nil for `null` and anything else.
    init?(origin text: String) {
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
        self.init(text.dropFirst(scheme.count))
    }

    /// Whether no other site can own it: any other name can be made to lead here (DNS rebinding).
    var isLiteral: Bool { host == "localhost" || IPLiteral(host) != nil }
}
