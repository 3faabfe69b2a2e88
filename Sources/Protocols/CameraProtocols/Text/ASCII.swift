/// Bytes that the grammar of RTSP names.
package enum ASCII {
    static let tab = UInt8(ascii: "\t")
    static let lf = UInt8(ascii: "\n")
    static let cr = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let dollar = UInt8(ascii: "$")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let comma = UInt8(ascii: ",")
    static let equals = UInt8(ascii: "=")

    package static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The text with its ASCII letters in lower case; all other letters stay, so that a password is still recognised.
    static func lowercased(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map(lowercased), as: UTF8.self)
    }

    package static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    package static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    package static func isLetterOrDigit(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// A character of a `token` (RFC 7826, section 20.1).
    static func isToken(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// Whether a header line may hold it: printable, a tab, or not ASCII at all.
    static func isText(_ byte: UInt8) -> Bool { byte == tab || (byte >= 0x20 && byte != 0x7f) }

    /// A number of decimal digits only; nil for anything else or what an `Int` cannot hold.
    package static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy(isDigit) ? Int(text) : nil
    }

    /// Without the blanks at both ends.
    ///
    /// Works on bytes, as the next function does: the lines of a protocol have no use for graphemes.
    static func trimmed(_ text: some StringProtocol) -> Substring { Substring(trimmed(Substring(text).utf8)) }

    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes
    where Bytes.SubSequence == Bytes {
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    /// Without the blanks at both ends, and then without the quotes there.
    static func unquoted(_ text: Substring) -> Substring {
        let text = trimmed(text)
        return text.utf8.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : text
    }

    static func split(
        _ text: some StringProtocol,
        at separator: UInt8,
        maxSplits: Int = .max,
        omittingEmpty: Bool = true
    ) -> [Substring] {
        Substring(text).utf8.split(
            separator: separator,
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmpty
        ).map(Substring.init)
    }

    /// `name=value` pairs between semicolons: names in lower case, values without the quotes that some servers put around them.
    static func parameters(_ text: some StringProtocol) -> [(name: String, value: Substring)] {
        split(text, at: semicolon).compactMap { part in
            let pair = split(part, at: equals, maxSplits: 1, omittingEmpty: false)
            return pair.count == 2 ? (trimmed(pair[0]).lowercased(), unquoted(pair[1])) : nil
        }
    }

    static func words(_ text: some StringProtocol, maxSplits: Int = .max) -> [Substring] {
        Substring(text).utf8.split(maxSplits: maxSplits, whereSeparator: isBlank).map(Substring.init)
    }
}
