/// One challenge of a `WWW-Authenticate` header (RFC 7235, section 2.1; RFC 7616, section 3.3).
struct AuthenticationChallenge: Sendable, Hashable {
    /// In lower case.
    var scheme: String
    /// By name in lower case; quoted values without their quotes, escapes left as they came.
    var parameters: [String: String] = [:]

    /// The challenges of one header value, separated by commas as their parameters are; passes over what it can't read.
    static func parse(_ value: String) -> [Self] {
        var challenges: [Self] = []
        var rest = value.utf8[...]
        /// Where a value that is not quoted may go on: servers forget the quotes around blanks and commas.
        var open: String?
        while !rest.isEmpty {
            let separators = rest.prefix { ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }
            rest = rest.dropFirst(separators.count)
            let token = rest.prefix(while: ASCII.isToken)
            guard !token.isEmpty else {
                rest = rest.drop { $0 != UInt8(ascii: ",") }
                continue
            }
            rest = rest.dropFirst(token.count).drop(while: ASCII.isBlank)
            let name = (Substring(token)).lowercased()
            let isElement = challenges.isEmpty || separators.contains(UInt8(ascii: ","))
            guard rest.first == UInt8(ascii: "=") else {
                if let open, !isElement || open == "qop" && name.hasPrefix("auth") {
                    let separator = isElement ? "," : " "
                    challenges[challenges.count - 1].parameters[open]? += separator + String(Substring(token))
                } else {
                    challenges.append(Self(scheme: name))
                    open = nil
                }
                continue
            }
            rest = rest.dropFirst().drop(while: ASCII.isBlank)
            let isQuoted = rest.first == UInt8(ascii: "\"")
            guard let text = takeValue(&rest), !challenges.isEmpty else { return challenges }
            // A repeated parameter is an attempt at confusion: the first one counts.
            let isNew = challenges[challenges.count - 1].parameters[name] == nil
            if isNew { challenges[challenges.count - 1].parameters[name] = text }
            open = isNew && !isQuoted ? name : nil
        }
        return challenges
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
