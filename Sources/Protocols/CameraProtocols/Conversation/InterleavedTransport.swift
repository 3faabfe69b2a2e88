/// What an answer to SETUP says: `Transport` and `Session` (RFC 2326, sections 12.37 and 12.39).
enum InterleavedTransport {
    /// The channel of the track's RTP; nil when the transport is not interleaved TCP.
    ///
    /// Without `interleaved` it is channel 0, for which SETUP asked. With it, the header need not name TCP.
    static func channel(in header: String?) -> UInt8? {
        guard let header else { return 0 }
        let parts = first(of: header).split(separator: ";").map { ASCII.trimmed($0).lowercased() }
        for pair in parts.map({ $0.split(separator: "=", maxSplits: 1).map { ASCII.trimmed($0) } })
        where pair.first == "interleaved" && pair.count == 2 {
            let channels = ASCII.unquoted(pair[1])
            return ASCII.number(ASCII.trimmed(channels.prefix { $0 != "-" })).flatMap(UInt8.init(exactly:))
        }
        return parts.first?.hasSuffix("/tcp") == true ? 0 : nil
    }

    /// The first of the transports, which commas separate where they are not in quotes.
    private static func first(of header: String) -> Substring {
        var isQuoted = false
        return header.prefix { character in
            if character == "\"" { isQuoted.toggle() }
            return isQuoted || character != ","
        }
    }

    /// After how many seconds without a sign of life the server ends the session (RFC 2326, section 12.37).
    static func sessionTimeout(in header: String?) -> Int {
        let parameters = header.map { ASCII.split($0, at: ASCII.semicolon).dropFirst() } ?? []
        for pair in parameters.map({ ASCII.split($0, at: ASCII.equals, maxSplits: 1).map { ASCII.trimmed($0) } })
        where pair.first.map({ ASCII.lowercased($0) }) == "timeout" && pair.count == 2 {
            if let seconds = ASCII.number(pair[1]), seconds > 0 { return seconds }
        }
        return 60
    }

    /// The session's id without its timeout.
    static func sessionID(in header: String?) -> String? {
        guard let id = header.map({ String(ASCII.trimmed($0.prefix { $0 != ";" })) }), !id.isEmpty else { return nil }
        return id
    }
}
