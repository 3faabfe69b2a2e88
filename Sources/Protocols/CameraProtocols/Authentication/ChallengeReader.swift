/// Reads the challenges of one `WWW-Authenticate` value (RFC 9110, section 11.6.1): separated by commas, as their
/// parameters are.
///
/// Servers forget quotes around values with blanks and commas, and send unknown parameters, which are skipped.
struct ChallengeReader {
    private var rest: Substring.UTF8View
    private var challenges: [AuthenticationChallenge] = []
    /// The parameter whose value had no quotes, and may go on.
    private var open: String?

    init(_ value: String) { rest = Substring(value).utf8 }

    /// All there are; what follows an unclosed quote is lost.
    mutating func read() -> [AuthenticationChallenge] {
        while !rest.isEmpty {
            let separators = take { ASCII.isBlank($0) || $0 == ASCII.comma }
            let word = String(Substring(take(while: ASCII.isToken)))
            guard !word.isEmpty else {
                _ = take { $0 != ASCII.comma }
                continue
            }
            _ = take(while: ASCII.isBlank)
            if rest.first == ASCII.equals {
                guard readParameter(word.lowercased()) else { break }
            } else {
                read(word, isElement: challenges.isEmpty || separators.contains(ASCII.comma))
            }
        }
        return challenges
    }

    /// A word by itself: a scheme, or more of the value before it.
    private mutating func read(_ word: String, isElement: Bool) {
        let last = challenges.count - 1
        if let open, !isElement {
            challenges[last].parameters[open]? += " " + word
        } else if let open, open == "qop", word.lowercased().hasPrefix("auth") {
            challenges[last].parameters[open]? += "," + word
        } else {
            challenges.append(AuthenticationChallenge(scheme: word.lowercased()))
            open = nil
        }
    }

    /// What follows a name, from the equals sign on; false when it has no end, or belongs to no challenge.
    private mutating func readParameter(_ name: String) -> Bool {
        rest.removeFirst()
        _ = take(while: ASCII.isBlank)
        let isQuoted = rest.first == UInt8(ascii: "\"")
        guard let value = isQuoted ? takeQuoted() : takeBare(), !challenges.isEmpty else { return false }
        let last = challenges.count - 1
        // A repeated parameter is an attempt at confusion: the first one counts.
        let isNew = challenges[last].parameters[name] == nil
        if isNew { challenges[last].parameters[name] = value }
        open = isNew && !isQuoted ? name : nil
        return true
    }

    private mutating func take(while condition: (UInt8) -> Bool) -> Substring.UTF8View {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return taken
    }

    private mutating func takeBare() -> String? {
        String(Substring(take { $0 != ASCII.comma && !ASCII.isBlank($0) }))
    }

    /// Without the quotes, with the escapes; nil when it is not closed.
    private mutating func takeQuoted() -> String? {
        rest.removeFirst()
        var isEscaped = false
        let text = take { byte in
            if byte == UInt8(ascii: "\""), !isEscaped { return false }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            return true
        }
        return rest.popFirst() == nil ? nil : String(Substring(text))
    }
}
