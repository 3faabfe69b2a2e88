/// A strict RFC 8259 parser for small messages from senders that are not trusted.
///
/// Stricter than the RFC asks where it leaves a choice: no byte order mark, no name twice in an object, no lone
/// surrogate, no number beyond the range of `Double`.
struct JSONParser {
    private let bytes: [UInt8]
    private let limits: JSONLimits
    /// Refuses whole numbers that would be rounded, and keeps the zero below zero of `Double`.
    private let isExact: Bool
    private var at = 0

    init(
        _ bytes: some Collection<UInt8>,
        limits: JSONLimits,
        isExact: Bool = false
    ) throws(JSONError) {
        guard bytes.count <= limits.bytes else {
            throw JSONError(.tooLarge, at: limits.bytes, "more than \(limits.bytes) bytes")
        }
        self.bytes = Array(bytes)
        self.limits = limits
        self.isExact = isExact
    }

    mutating func document() throws(JSONError) -> SettingValue {
        skipSpace()
        let result = try value(depth: 0)
        skipSpace()
        guard at == bytes.count else { throw invalid("expected the end") }
        return result
    }

    private mutating func value(depth: Int) throws(JSONError) -> SettingValue {
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"): return try number()
        case nil: throw invalid("the text ends where a value is expected")
        default: throw invalid("expected a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> SettingValue {
        try check(depth)
        at += 1
        var members: [String: SettingValue] = [:]
        skipSpace()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            let start = at
            guard peek == UInt8(ascii: "\"") else { throw invalid("expected a name in quotes") }
            let name = try string()
            skipSpace()
            guard take(":") else { throw invalid("expected a colon") }
            skipSpace()
            let member = try value(depth: depth)
            guard members.updateValue(member, forKey: name) == nil else {
                throw JSONError(.duplicateName, at: start, "the name at byte \(start) occurs twice")
            }
            skipSpace()
        } while take(",")
        guard take("}") else { throw invalid("expected a comma or a closing brace") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> SettingValue {
        try check(depth)
        at += 1
        var elements: [SettingValue] = []
        skipSpace()
        if take("]") { return .array(elements) }
        repeat {
            skipSpace()
            elements.append(try value(depth: depth))
            skipSpace()
        } while take(",")
        guard take("]") else { throw invalid("expected a comma or a closing bracket") }
        return .array(elements)
    }

    private mutating func literal(_ text: StaticString, _ result: SettingValue) throws(JSONError) -> SettingValue {
        let end = at + text.utf8CodeUnitCount
        guard end <= bytes.count, bytes[at..<end].elementsEqual(text.description.utf8) else {
            throw invalid("expected a value")
        }
        at = end
        return result
    }

    private mutating func number() throws(JSONError) -> SettingValue {
        let start = at
        var isWhole = true
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") {
            isWhole = false
            try digits()
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if isWhole, !(isExact && text == "-0"), let value = Int(text) { return .int(value) }
        guard let value = Double(text), value.isFinite, !(isExact && isWhole) || value == 0 else {
            throw JSONError(.numberTooLarge, at: start, "the number at byte \(start) is too large")
        }
        return .double(value)
    }

    private mutating func digits() throws(JSONError) {
        let start = at
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        guard at > start else { throw invalid("expected a digit") }
    }

    private mutating func string() throws(JSONError) -> String {
        let start = at
        at += 1
        var text: [UInt8] = []
        while let byte = peek {
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let result = String(validating: text, as: UTF8.self) else {
                    throw JSONError(.invalid, at: start, "the string at byte \(start) is not UTF-8")
                }
                return result
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20:
                at -= 1
                throw invalid("a control character in a string")
            default: text.append(byte)
            }
        }
        throw invalid("the text ends inside a string")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = peek else { throw invalid("the text ends inside a string") }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try scalar())).utf8)
        default:
            at -= 1
            throw invalid("an unknown escape")
        }
    }

    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let start = at
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if UTF16.isLeadSurrogate(unit), take("\\"), take("u") {
            let trail = try codeUnit()
            if UTF16.isTrailSurrogate(trail) {
                let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
                if let scalar = Unicode.Scalar(value) { return scalar }
            }
        }
        throw JSONError(.invalid, at: start, "half a surrogate pair at byte \(start)")
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw invalid("expected four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            at += 1
        }
        return unit
    }

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
    }

    private func check(_ depth: Int) throws(JSONError) {
        guard depth <= limits.depth else {
            throw JSONError(.tooDeep, at: at, "more than \(limits.depth) lists and objects inside one another")
        }
    }

    private func invalid(_ what: String) -> JSONError {
        JSONError(.invalid, at: at, "not JSON at byte \(at): \(what)")
    }
}
