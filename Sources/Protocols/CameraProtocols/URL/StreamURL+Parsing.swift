import Foundation
import Platform
import Secrets

extension StreamURL {
    /// Reads `scheme://[user[:password]@]host[:port][/path]`.
    ///
    /// User name and password are percent-decoded; in them a `/`, `?` or `#` must be written `%2F`, `%3F` or `%23`. IPv6
    /// addresses stand in brackets. A fragment is refused. Blanks and line ends around the text are skipped.
    ///
    /// - Throws: ``StreamURLError`` naming the part that is wrong.
    package init(parsing text: String) throws {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let colon = text.utf8.firstIndex(of: ASCII.colon), text[colon...].hasPrefix("://"),
            let scheme = Scheme(rawValue: text[..<colon].lowercased()), scheme != .jpeg
        else { throw StreamURLError(.scheme, "a stream address begins with rtsps://, rtsp://, https:// or http://") }
        let rest = text[colon...].dropFirst(3)
        let authorityEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<authorityEnd]
        var host = authority
        var user: String?
        var password: Secret<String>?
        if let at = authority.lastIndex(of: "@") {
            host = authority[authority.index(after: at)...]
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            user = try parts.first.map(Self.decoded)
            password = parts.count > 1 ? Secret(try Self.decoded(parts[1])) : nil
        }
        let (name, port) = try Self.splitPort(host)
        try self.init(
            scheme: scheme,
            host: name,
            port: port,
            path: String(rest[authorityEnd...]),
            user: user,
            password: password
        )
    }

    private static func decoded(_ text: Substring) throws -> String {
        guard let decoded = text.removingPercentEncoding else {
            throw StreamURLError(.percentEncoding, "in user name or password a percent sign is written %25")
        }
        return decoded
    }

    private static func splitPort(_ text: Substring) throws -> (host: String, port: Int?) {
        if text.first == "[" {
            guard let close = text.firstIndex(of: "]") else {
                throw StreamURLError(.host, "the bracket [ is not closed")
            }
            let rest = text[text.index(after: close)...]
            guard rest.isEmpty || rest.first == ":" else {
                throw StreamURLError(.port, "only a colon and a port may follow the bracket ]")
            }
            return (String(text[...close]), try port(rest.dropFirst()))
        }
        guard let colon = text.firstIndex(of: ":") else { return (String(text), nil) }
        let digits = text[text.index(after: colon)...]
        guard !digits.utf8.contains(ASCII.colon) else {
            throw StreamURLError(.host, "an IPv6 address stands in brackets: [::1]")
        }
        return (String(text[..<colon]), try port(digits))
    }

    private static func port(_ digits: Substring) throws -> Int? {
        if digits.isEmpty { return nil }
        guard let port = ASCII.number(digits) else {
            // What stands here may be a password with an unescaped slash: it is not repeated.
            throw StreamURLError(
                .port,
                "the port is not a number (in a password, / ? # and @ are written %2F %3F %23 and %40)"
            )
        }
        return port
    }

    static func checkedPort(_ port: Int) throws -> Int {
        guard (1...65535).contains(port) else { throw StreamURLError(.port, "a port is a number from 1 to 65535") }
        return port
    }

    static func checkedHost(_ text: String) throws -> String {
        var host = text
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            if let zone = host.utf8.firstRange(of: "%25".utf8) { host.replaceSubrange(zone, with: "%") }
            guard IPLiteral(host)?.isIPv6 == true else {
                throw StreamURLError(.host, "no IPv6 address in the brackets")
            }
        }
        guard !host.isEmpty else { throw StreamURLError(.host, "the host is missing") }
        guard host.utf8.count <= 253 else { throw StreamURLError(.host, "the host is longer than 253 bytes") }
        if host.utf8.contains(ASCII.colon) {
            guard IPLiteral(host) != nil, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
                throw StreamURLError(.host, "the host is neither a name nor an address")
            }
            return host
        }
        guard host.utf8.allSatisfy({ ASCII.isLetterOrDigit($0) || "-._".utf8.contains($0) }) else {
            throw StreamURLError(.host, "a host has letters, digits, '-', '_' and '.' only")
        }
        // Systems take 127.1, 192.168.1 and 0x7f000001 for addresses too: not the ones that were meant.
        guard IPLiteral(host) != nil || !host.split(separator: ".").allSatisfy(isNumber) else {
            throw StreamURLError(.host, "the host is not a valid IPv4 address")
        }
        return host
    }

    private static func isNumber(_ label: Substring) -> Bool {
        let digits = label.utf8
        return digits.allSatisfy(ASCII.isDigit)
            || label.lowercased().hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    static func checkedPath(_ text: String) throws -> String {
        let path = text.isEmpty ? "/" : text.hasPrefix("?") ? "/" + text : text
        guard path.hasPrefix("/") else { throw StreamURLError(.path, "the path begins with a slash") }
        guard !path.utf8.contains(UInt8(ascii: "#")) else {
            throw StreamURLError(.path, "a stream address has no #fragment")
        }
        // What a path with its query can carry, with the escapes that are there.
        let encoded = path.percentEncoded(keeping: "%!$&'()*+,;=:@/?")
        guard encoded.utf8.count <= 2048 else { throw StreamURLError(.path, "the path is longer than 2,048 bytes") }
        return encoded
    }

    static func checkedUserInfo(_ text: String) throws -> String {
        // A line end here would end a header.
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw StreamURLError(.userInfo, "user name and password have no control characters")
        }
        return text
    }
}
