/// One challenge of a `WWW-Authenticate` header (RFC 7235, section 2.1; RFC 7616, section 3.3).
struct AuthenticationChallenge: Sendable, Hashable {
    /// In lower case.
    var scheme: String
    /// By name in lower case; quoted values without their quotes, escapes left as they came.
    var parameters: [String: String] = [:]

    /// The challenges of one header value.
    static func parse(_ value: String) -> [Self] {
        var reader = ChallengeReader(value)
        return reader.read()
    }
}
