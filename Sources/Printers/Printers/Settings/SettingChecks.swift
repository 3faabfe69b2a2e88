import CameraProtocols
import Foundation
import Platform

package enum HostAddress {
    /// Why `text` is no IPv4 address, IPv6 address or host name; nil when it is one, or empty.
    package static func fault(in text: String) -> String? {
        fault(in: text, port: "of P1 and A1 cameras is always 6000, that of others is stream_port")
    }

    /// The same; `port` ends the sentence 'the port …' in the fault of an address with a port.
    package static func fault(in text: String, port: String) -> String? {
        if let scalar = text.unicodeScalars.first(where: { !$0.isASCII || $0.value < 0x20 }) {
            return "must not contain \(scalar.title)"
        }
        if text.isEmpty { return nil }
        if !text.contains("%"), let address = IPLiteral(text) {
            // FE80::/10 (RFC 4291, section 2.4).
            if address.isIPv6, address.bytes[0] == 0xFE, address.bytes[1] & 0xC0 == 0x80 {
                return "must not be a link-local address, which needs a zone: use another address of the printer"
            }
            return address.isOfOneMachine ? nil : "must be the address of one machine"
        }
        if text.contains("://") || text.contains("/") { return "must be an address alone, without scheme or path" }
        if text.hasPrefix("[") { return "must be an IPv6 address without brackets" }
        if text.contains("%") { return "must be an address without zone (%…): use another address of the printer" }
        if text.contains(":") { return "must be an address without port: the port \(port)" }
        if text.hasSuffix(".") { return "must be a host name without the dot at its end" }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        // A name does not end in a number: RFC 1123, section 2.1. Yet systems read 0x7f.1 and 127.1 as addresses.
        let isName = labels.allSatisfy(isLabel)
        if labels.allSatisfy(isNumber) || isName && labels.last.map(isNumber) == true {
            return "is not a valid IPv4 address"
        }
        return isName ? nil : "must be an IPv4 address, an IPv6 address or a host name"
    }

    /// RFC 1123, section 2.1, and the underscore that home networks use.
    private static func isLabel(_ label: Substring) -> Bool {
        let bytes = label.utf8
        guard (1...63).contains(bytes.count), bytes.first != UInt8(ascii: "-"), bytes.last != UInt8(ascii: "-") else {
            return false
        }
        return label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }

    private static func isNumber(_ label: Substring) -> Bool {
        label.allSatisfy(\.isWholeNumber)
            || ["0x", "0X"].contains(label.prefix(2)) && label.dropFirst(2).allSatisfy(\.isHexDigit)
    }
}

package enum CameraURL {
    /// Why `text` is no address of a camera that may be published; nil when it is one, or empty.
    ///
    /// It never repeats a part of the address, which may be a password.
    package static func fault(in text: String) -> String? {
        if text.isEmpty { return nil }
        if let fault = PrintableText.faultInASCII(text) { return fault }
        let url: StreamURL
        do { url = try StreamURL(parsing: text) } catch let error as StreamURLError {
            switch error.code {
            case .scheme:
                return "must begin with rtsp://, rtsps://, http:// or https://. A camera without such an address, "
                    + "as of a Creality K2 (webrtc:), goes through go2rtc: rtsp://GO2RTC:8554/NAME"
            case .path where text.contains("#"): return "must not contain a fragment (#…)"
            // In user:pass/word@host, the parser takes user for the host and pass for the port.
            case .port where text.contains("@"): return login
            default: return "is no address of a camera: \(error.message)"
            }
        } catch { return "is no address of a camera" }
        if url.user != nil { return login }
        return LoginInPath.fault(in: url.path) ?? HostAddress.fault(in: url.host).map { "has a host that \($0)" }
    }

    private static let login = "must not contain user and password: set stream_user and access_code"
}

/// Finds passwords and tokens in a path or its query, such as `?usr=x&pwd=y`; a published address must have none.
private enum LoginInPath {
    /// The last words of parameter names that hold a login, as `token` in `access_token=`.
    private static let names: Set = [
        "auth", "authbasic", "authkey", "apikey", "jwt", "key", "pas", "pass", "psw", "pw", "session", "sid",
        "sig",
    ]
    /// Prefixes that may be joined to such a word, as `login` in `loginpas=`.
    private static let owners = ["login", "user", "admin"]
    /// Words that mean nothing else, whatever stands before them.
    private static let ends = [
        "access_code", "accesscode", "accesskey", "credential", "credentials", "passcode", "passphrase", "passwd",
        "password", "passwort", "pwd", "secret", "secretkey", "signature", "streamkey", "token",
    ]

    static func fault(in path: String) -> String? {
        let decoded = path.removingPercentEncoding ?? path
        return hasParameter(in: path) || hasParameter(in: decoded) || hasUser(in: decoded)
            ? "must not contain a password or token, because it is published: set stream_user and access_code. If the "
                + "camera takes them in its address only, use go2rtc: rtsp://GO2RTC:8554/NAME (H.264) or "
                + "http://GO2RTC:1984/api/stream.mjpeg?src=NAME (JPEG)" : nil
    }

    /// Whether it contains another address with a user, as `?src=rtsp://me:word@camera`.
    private static func hasUser(in path: String) -> Bool {
        path.range(of: "://").map { path[$0.upperBound...].contains("@") } ?? false
    }

    /// Whether the name of a parameter says that its value is a login.
    private static func hasParameter(in path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
        return parts.indices.dropLast().contains { index in
            let value = parts[index + 1]
            // An empty value is no secret. In `password=_channel=1` the next name follows.
            guard let first = value.first, !"&;/?".utf8.contains(first) else { return false }
            let isName = first == UInt8(ascii: "_") && value.dropFirst().allSatisfy(ASCII.isLetter)
            return !(isName && index + 2 < parts.count) && isSecret(parts[index])
        }
    }

    private static func isSecret(_ name: Substring.UTF8View) -> Bool {
        if ends.contains(where: String(decoding: name, as: UTF8.self).lowercased().hasSuffix) { return true }
        let start = name.lastIndex { !ASCII.isLetter($0) }.map(name.index(after:)) ?? name.startIndex
        let word = String(decoding: name[start...], as: UTF8.self).lowercased()
        let owner = owners.first(where: word.hasPrefix) ?? ""
        return names.contains(word) || names.contains(String(word.dropFirst(owner.utf8.count)))
    }
}

package enum PrintableText {
    /// Why `text` can't be shown or typed; nil when it can.
    package static func fault(in text: String) -> String? {
        // Most texts are plain: the properties of a character cost a search each.
        if text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return nil }
        if let scalar = text.unicodeScalars.first(where: \.isInvisible) { return "must not contain \(scalar.title)" }
        let isBlank = text.unicodeScalars.allSatisfy {
            $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
        }
        return !text.isEmpty && isBlank ? "must not be blanks alone" : nil
    }

    /// Why `text` can't be an access code, or another camera's password; nil when it can.
    static func faultInCode(_ text: String) -> String? {
        if let fault = fault(in: text) { return fault }
        let lookalike = text.unicodeScalars.first {
            let isUnseen = $0.properties.isDefaultIgnorableCodePoint && !$0.properties.isVariationSelector
            return !$0.isASCII && ($0.isFullWidth || $0.properties.numericType != nil || isUnseen)
        }
        if let lookalike { return "must not contain \(lookalike.title): type it with another keyboard" }
        // Another camera's password may have blanks, as in 'my garden'.
        guard text.contains(" ") else { return nil }
        let isSplitCode = text.range(of: "^\(splitCode)$", options: .regularExpression) != nil
        return isSplitCode ? "must not contain blanks: type the eight letters or digits without them" : nil
    }

    /// The eight characters of a printer's access code, with blanks between them, in the words of ECMA 262.
    static let splitCode = "(?=[A-Za-z0-9]{1,7} )(?=[A-Za-z ]*[0-9])[A-Za-z0-9](?: *[A-Za-z0-9]){7}"

    /// Why `text` is not letters, digits and signs of ASCII without blanks; nil when it is.
    static func faultInASCII(_ text: String) -> String? {
        if let fault = fault(in: text) { return fault }
        return text.unicodeScalars.first { !("!"..."~").contains($0) }.map { "must not contain \($0.title)" }
    }
}

extension Unicode.Scalar {
    /// The character's name as people find it in tables of Unicode, such as 'U+200B ZERO WIDTH SPACE'.
    fileprivate var title: String {
        if self == " " { return "blanks" }
        let code = "U+" + value.hex(digits: 4, uppercase: true)
        return properties.name.map { "\(code) \($0)" } ?? "control characters, such as \(code)"
    }

    /// Whether East Asian keyboards type it for a sign of ASCII.
    fileprivate var isFullWidth: Bool { ("\u{ff01}"..."\u{ff5e}").contains(self) || self == "\u{3000}" }

    /// Whether people do not see it, or cannot tell it from another character.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        // Wider blanks of East Asian texts are seen.
        case .spaceSeparator: self != " " && self != "\u{3000}"
        // Joiners and tags are parts of emoji and of Persian words.
        case .format: !(["\u{200c}", "\u{200d}"].contains(self) || ("\u{e0020}"..."\u{e007f}").contains(self))
        // Variation selectors are parts of emoji. The blank of Braille has no other property that tells.
        default:
            self == "\u{2800}" || (properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector)
        }
    }
}

enum StreamPath {
    static func fault(in text: String) -> String? {
        guard text.hasPrefix("/") else { return "must begin with /" }
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
        return isPlain ? LoginInPath.fault(in: text) : "must be printable ASCII without spaces or #"
    }
}
