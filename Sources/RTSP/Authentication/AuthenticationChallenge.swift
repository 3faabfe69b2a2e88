/// One challenge of a `WWW-Authenticate` header (RFC 7235, section 2.1; RFC 7616, section 3.3).
struct AuthenticationChallenge: Sendable, Hashable {
    /// In lower case.
    var scheme: String
    /// By name in lower case; quoted values without their quotes, escapes left as they came.
    var parameters: [String: String] = [:]

    /// The challenges of one header value, separated by commas as their parameters are; stops at what it can't read.
    static func parse(_ value: String) -> [Self] {
        var challenges: [Self] = []
        var rest = value.utf8[...]
        while true {
            rest = rest.drop { ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }
            let token = rest.prefix(while: ASCII.isToken)
            guard !token.isEmpty else { return challenges }
            rest = rest.dropFirst(token.count).drop(while: ASCII.isBlank)
            let name = (Substring(token)).lowercased()
            guard rest.first == UInt8(ascii: "=") else {
                challenges.append(Self(scheme: name))
                continue
            }
            rest = rest.dropFirst().drop(while: ASCII.isBlank)
            guard let text = takeValue(&rest), !challenges.isEmpty else { return challenges }
            // A repeated parameter is an attempt at confusion: the first one counts.
            if challenges[challenges.count - 1].parameters[name] == nil {
                challenges[challenges.count - 1].parameters[name] = text
            }
        }
    }

    private static func takeValue(_ rest: inout Substring.UTF8View) -> String? {
        guard rest.first == UInt8(ascii: "\"") else {
            let value = rest.prefix { $0 != UInt8(ascii: ",") && !ASCII.isBlank($0) }
            rest = rest.dropFirst(value.count)
            return String(Substring(value))
        }
        rest = rest.dropFirst()
        let quoted = rest
        var escaped = false
        while let byte = rest.first {
            if byte == UInt8(ascii: "\""), !escaped {
                let value = String(Substring(quoted[..<rest.startIndex]))
                rest = rest.dropFirst()
                return value
            }
            escaped = byte == UInt8(ascii: "\\") && !escaped
            rest = rest.dropFirst()
        }
        return nil
    }
}
