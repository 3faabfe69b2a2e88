import ForeignText

extension JSONValue {
    /// Reads one JSON text (RFC 8259), in UTF-8, from a sender that is not trusted.
    package init(json: some Collection<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var parser = try JSONParser(json, limits: limits)
        self = try parser.document()
    }

    package init(json: String, limits: JSONLimits) throws(JSONError) { try self.init(json: json.utf8, limits: limits) }

    /// Reads one JSON text (RFC 8259), from a sender that is not trusted: at most 64 KiB and 32 levels of nesting.
    ///
    /// - Throws: ``JSONError``, which names the place and not the text.
    public init(json: String) throws(JSONError) { try self.init(json: json.utf8, limits: JSONLimits()) }

    /// Reads JSON that was written here, of any size, and throws rather than round a whole number.
    ///
    /// With `keepsDigits`, it also throws where a number has more digits than a `Double`.
    package init(exactly json: some Collection<UInt8>, keepsDigits: Bool = false) throws(JSONError) {
        var limits = JSONLimits.stored
        (limits.isExact, limits.keepsDigits) = (true, keepsDigits)
        try self.init(json: json, limits: limits)
    }
}

/// A strict RFC 8259 parser for small messages from senders that are not trusted.
///
/// It refuses a byte order mark, a name twice in an object, a lone surrogate, a number beyond the range of `Double`, and a text
/// that takes quadratic time to compare. Foundation's decoder accepts a name twice, and takes 5.0 for 5.
struct JSONParser {
    private let bytes: [UInt8]
    private let limits: JSONLimits
    private var at = 0
    private var values = 0

    init(_ bytes: some Collection<UInt8>, limits: JSONLimits) throws(JSONError) {
        guard bytes.count <= limits.bytes else {
            throw JSONError("more than \(limits.bytes) bytes")
        }
        self.bytes = Array(bytes)
        self.limits = limits
    }

    mutating func document() throws(JSONError) -> JSONValue {
        if limits.isLenient, bytes.starts(with: "\u{FEFF}".utf8) { at = 3 }
        let result = try value(depth: 0)
        skipSpace()
        guard at == bytes.count else { throw invalid("expected the end") }
        return result
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        values += 1
        guard values <= limits.values else { throw JSONError("more than \(limits.values) values") }
        skipSpace()
        switch peek {
        case let next? where (next == "N" || next == "I" || next == "-") && takeNoNumber(): return .null
        case "{": return .object(try object(depth: depth + 1))
        case "[": return .array(try array(depth: depth + 1))
        case "\"": return .string(try string().text)
        case let next? where next == "-" || ("0"..."9").contains(next): return try number()
        case nil: throw invalid("the text ends where a value is expected")
        default:
            for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)]
            where bytes[at...].starts(with: word.utf8) {
                at += word.utf8.count
                return value
            }
            throw invalid("expected a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        try list("}", depth) { (parser: inout JSONParser) throws(JSONError) in
            let start = parser.at
            guard parser.peek == "\"" else { throw parser.invalid("expected a name in quotes") }
            let (name, isASCII) = try parser.string()
            parser.skipSpace()
            guard parser.skip(":") else { throw parser.invalid("expected a colon") }
            let value = try parser.value(depth: depth)
            if parser.limits.isLenient, !isASCII { return }
            let isNew = members.updateValue(value, forKey: name) == nil
            guard isNew || parser.limits.isLenient else {
                throw JSONError("the name at byte \(start) occurs twice")
            }
        }
        return members
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try list("]", depth) { (parser: inout JSONParser) throws(JSONError) in
            elements.append(try parser.value(depth: depth))
        }
        return elements
    }

    private mutating func list(
        _ end: Unicode.Scalar,
        _ depth: Int,
        _ element: (inout JSONParser) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard depth <= limits.depth else {
            throw JSONError("more than \(limits.depth) lists and objects inside one another")
        }
        at += 1
        skipSpace()
        if skip(end) { return }
        repeat {
            skipSpace()
            try element(&self)
            skipSpace()
        } while skip(",")
        guard skip(end) else { throw invalid("expected a comma or a closing bracket") }
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = at
        _ = skip("-")
        if !skip("0") { try digits() }
        let end = at
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        let isExactWhole = limits.isExact && at == end
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if at == end, !(isExactWhole && text == "-0"), let value = Int(text) { return .int(value) }
        guard let value = Double(text), value.isFinite, !isExactWhole || value == 0,
            !limits.keepsDigits || Self.digits(of: text) == Self.digits(of: value.description)
        else {
            if limits.isLenient { return .null }
            throw JSONError("the number at byte \(start) is too large")
        }
        return .double(value)
    }

    /// The digits of a number without zeros before and after them.
    private static func digits(of number: String) -> [UInt8] {
        let (zero, nine) = (UInt8(ascii: "0"), UInt8(ascii: "9"))
        let digits = number.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (zero...nine).contains($0) }
        return Array(digits.drop { $0 == zero }.reversed().drop { $0 == zero })
    }

    /// Skips `NaN`, `Infinity` or `-Infinity`, which other writers use although JSON has none, if lenient.
    private mutating func takeNoNumber() -> Bool {
        let words = limits.isLenient ? ["NaN", "Infinity", "-Infinity"] : []
        guard let word = words.first(where: { bytes[at...].starts(with: $0.utf8) }) else { return false }
        at += word.utf8.count
        return true
    }

    private mutating func digits() throws(JSONError) {
        let start = at
        while let next = peek, ("0"..."9").contains(next) { at += 1 }
        guard at > start else { throw invalid("expected a digit") }
    }

    private mutating func string() throws(JSONError) -> (text: String, isASCII: Bool) {
        let start = at
        at += 1
        var isASCII = true
        let plain = try takePlain(&isASCII)
        if skip("\"") { return (try decode(plain, isASCII, from: start), isASCII) }
        var text = Array(plain)
        while !skip("\"") {
            at += 1
            if peek == "u" {
                let escaped = try unicode().utf8
                isASCII = isASCII && escaped.allSatisfy { $0 < 0x80 }
                text += escaped
            } else {
                text.append(try escaped())
            }
            text += try takePlain(&isASCII)
        }
        return (try decode(text[...], isASCII, from: start), isASCII)
    }

    /// Takes the bytes up to the end of the string or to its next escape.
    private mutating func takePlain(_ isASCII: inout Bool) throws(JSONError) -> ArraySlice<UInt8> {
        let start = at
        var next = at
        while next < bytes.count, bytes[next] != UInt8(ascii: "\""), bytes[next] != UInt8(ascii: "\\"),
            bytes[next] >= 0x20 || limits.isLenient
        {
            if bytes[next] >= 0x80 { isASCII = false }
            next += 1
        }
        at = next
        guard let byte = peek else { throw invalid("the text ends inside a string") }
        guard byte.value >= 0x20 else { throw invalid("a control character in a string") }
        return bytes[start..<at]
    }

    /// The string of these bytes, which begins at `start`.
    private func decode(
        _ text: ArraySlice<UInt8>,
        _ isASCII: Bool,
        from start: Int
    ) throws(JSONError) -> String {
        if isASCII { return String(decoding: text, as: UTF8.self) }
        let repaired = limits.isLenient ? String(decoding: text, as: UTF8.self) : nil
        guard let result = repaired ?? String(validating: text, as: UTF8.self) else {
            throw JSONError("the string at byte \(start) is not UTF-8")
        }
        guard limits.takesUnsafeText || result.isStreamSafe else {
            if limits.isLenient { return "" }
            let fault = "has more than \(String.combiningMarkLimit) combining marks in a row"
            throw JSONError("the string at byte \(start) \(fault)")
        }
        return result
    }

    /// The byte that an escape without `u` stands for.
    private mutating func escaped() throws(JSONError) -> UInt8 {
        guard let next = peek else { throw invalid("the text ends inside a string") }
        let byte: Unicode.Scalar =
            switch next {
            case "\"", "\\", "/": next
            case "b": "\u{8}"
            case "f": "\u{C}"
            case "n": "\n"
            case "r": "\r"
            case "t": "\t"
            default: throw invalid("an unknown escape")
            }
        at += 1
        return UInt8(byte.value)
    }

    private mutating func unicode() throws(JSONError) -> String {
        let start = at + 1
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return String(scalar) }
        let end = at
        if UTF16.isLeadSurrogate(unit), skip("\\"), peek == "u",
            let text = String(validating: [unit, try codeUnit()], as: UTF16.self)
        {
            return text
        }
        guard limits.isLenient else { throw JSONError("half a surrogate pair at byte \(start)") }
        // What follows is read for itself.
        at = end
        return "\u{FFFD}"
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        at += 1
        let digits = bytes[at...].prefix(4)
        // The initialiser also takes a sign.
        guard digits.count == 4, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw invalid("expected four hexadecimal digits") }
        at += 4
        return unit
    }

    private var peek: Unicode.Scalar? { at < bytes.count ? Unicode.Scalar(bytes[at]) : nil }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            default: return
            }
        }
    }

    private func invalid(_ what: String) -> JSONError { JSONError("\(what) at byte \(at)") }
}

/// Why bytes are not JSON that is accepted here; says where, by the byte counted from 0, and never what stood there.
public struct JSONError: Error, Sendable, CustomStringConvertible {
    /// One sentence without a full stop, such as 'a name twice in one object at byte 12'.
    public let description: String

    fileprivate init(_ description: String) { self.description = description }
}

/// How much JSON is read from a sender that is not trusted.
package struct JSONLimits: Sendable, Hashable {
    package var bytes: Int
    /// The most lists and objects inside one another, at most 512; 1 permits one level only.
    package var depth: Int
    /// The most values; lists and objects count as values.
    package var values: Int
    /// Whether names and texts may take quadratic time to compare; see ``Swift/String/isStreamSafe``.
    package var takesUnsafeText: Bool
    /// Whether a value that cannot be represented loses only itself.
    ///
    /// `NaN`, or a number beyond the range of `Double`, reads as null, unsafe text as empty, invalid UTF-8 as U+FFFD.
    /// The last of two equal names wins. A byte order mark is skipped, and so is a member whose name is not ASCII:
    /// such names take long to hash, and no program reads one.
    package var isLenient: Bool
    /// Whether a whole number that would be rounded is refused, and -0 stays a `Double`.
    fileprivate var isExact = false
    /// Whether a number with more digits than a `Double` has is refused.
    fileprivate var keepsDigits = false

    /// 64 KiB, 32 levels, stream-safe text and no leniency, unless told.
    package init(
        bytes: Int = 65_536,
        depth: Int = 32,
        values: Int = .max,
        takesUnsafeText: Bool = false,
        isLenient: Bool = false
    ) {
        self.bytes = bytes
        self.depth = min(depth, 512)
        self.values = values
        self.takesUnsafeText = takesUnsafeText
        self.isLenient = isLenient
    }

    /// What was written by a store was accepted before, and is read whole.
    package static let stored = JSONLimits(bytes: .max, depth: 512, takesUnsafeText: true)
}
