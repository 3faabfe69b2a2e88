/// The first line of a message of RTSP (RFC 2326, sections 6.1 and 7.1), or of HTTP, which looks the same.
enum StartLine: Sendable, Hashable {
    case response(status: Int, reason: String)
    case request(method: String, url: String)

    /// Reads a line of the protocol that is called `name` in it.
    init(_ line: String, of name: String) throws(MessageParseError) {
        let parts = ASCII.split(line, at: ASCII.space, maxSplits: 2)
        if line.hasPrefix("\(name)/") {
            guard Self.isVersion(parts[0], of: name), parts.count > 1, parts[1].utf8.count == 3,
                let status = ASCII.number(parts[1]), (100...599).contains(status)
            else { throw MessageParseError("a status line that is not \(name)'s") }
            self = .response(status: status, reason: parts.count > 2 ? String(ASCII.trimmed(parts[2])) : "")
        } else {
            guard parts.count == 3, parts[0].utf8.allSatisfy(ASCII.isToken),
                Self.isVersion(ASCII.trimmed(parts[2]), of: name)
            else { throw MessageParseError("neither an answer nor a request of \(name)") }
            self = .request(method: String(parts[0]), url: String(parts[1]))
        }
    }

    /// Refuses what cannot become a start line before its end has come.
    static func check(prefix: ArraySlice<UInt8>, of name: String) throws(MessageParseError) {
        guard let first = prefix.first else { return }
        if first == 0x15 || first == 0x16, prefix.count == 1 || prefix[prefix.startIndex + 1] == 3 {
            throw MessageParseError("the server speaks TLS here, not plain \(name)")
        }
        for other in ["HTTP", "RTSP"] where other != name && prefix.starts(with: "\(other)/".utf8) {
            throw MessageParseError("the server speaks \(other) here, not \(name)")
        }
        guard ASCII.isToken(first) else { throw MessageParseError("the server does not speak \(name) here") }
    }

    private static func isVersion(_ text: some StringProtocol, of name: String) -> Bool {
        guard text.utf8.count == 8, text.utf8.starts(with: "\(name)/".utf8) else { return false }
        return text.utf8.suffix(3).enumerated().allSatisfy { index, byte in
            index == 1 ? byte == UInt8(ascii: ".") : ASCII.isDigit(byte)
        }
    }
}
