/// What an answer to SETUP says: `Transport` and `Session` (RFC 2326, sections 12.37 and 12.39).
enum InterleavedTransport {
    /// The channel of the track's RTP; nil when the transport is not interleaved TCP.
    ///
    /// Without `interleaved` it is channel 0, for which SETUP asked. With it, the header need not name TCP.
    static func channel(in header: String?) -> UInt8? {
        guard let header else { return 0 }
        let transport = first(of: header)
        if let channels = ASCII.parameters(transport).first(where: { $0.name == "interleaved" && !$0.value.isEmpty }) {
            return ASCII.number(ASCII.trimmed(channels.value.prefix { $0 != "-" })).flatMap(UInt8.init(exactly:))
        }
        let name = ASCII.split(transport, at: ASCII.semicolon).first.map { ASCII.trimmed($0).lowercased() }
        return name?.hasSuffix("/tcp") == true ? 0 : nil
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
        let timeouts = ASCII.parameters(header ?? "").filter { $0.name == "timeout" }
        return timeouts.compactMap { ASCII.number($0.value) }.first { $0 > 0 } ?? 60
    }

    /// The session's id without its timeout.
    static func sessionID(in header: String?) -> String? {
        guard let id = header.map({ String(ASCII.trimmed($0.prefix { $0 != ";" })) }), !id.isEmpty else { return nil }
        return id
    }
}
