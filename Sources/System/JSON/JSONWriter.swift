/// Writes JSON as UTF-8, straight into the bytes of a message.
///
/// Members and elements come in the order of the calls. The writer sets the commas, and escapes each text.
package struct JSONWriter: ~Copyable {
    /// The bytes that were written so far.
    package private(set) var bytes: [UInt8] = []
    /// How many spaces a line begins with; nil for JSON without lines and spaces.
    private var indent: Int?
    /// Whether the next name or value is not the first of its list or object, nor the value after a name.
    private var needsComma = false

    /// - Parameters:
    ///   - capacity: About how many bytes are written.
    ///   - isIndented: Whether objects take a line for each member; lists stay on one line.
    package init(capacity: Int = 256, isIndented: Bool = false) {
        bytes.reserveCapacity(capacity)
        indent = isIndented ? 0 : nil
    }

    /// Writes an object; `members` writes a name before each value.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        write("{")
        let outer = indent
        indent = outer.map { $0 + 2 }
        needsComma = false
        members(&self)
        indent = outer
        if let outer, needsComma { bytes += Self.line(outer) }
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Writes a list of the values that `elements` writes.
    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        write("[")
        let outer = indent
        indent = nil
        needsComma = false
        elements(&self)
        indent = outer
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the name of a member; its value comes next.
    package mutating func name(_ name: String) {
        if let indent {
            separate()
            bytes += Self.line(indent)
            needsComma = false
        }
        quote(name, end: ":")
        if indent != nil { bytes.append(UInt8(ascii: " ")) }
        needsComma = false
    }

    package mutating func value(_ text: String) { quote(text) }

    package mutating func value(_ number: Int) { write(String(number)) }

    /// Writes a number; one that is not finite becomes null.
    package mutating func value(_ number: Double) { write(number.isFinite ? number.description : "null") }

    package mutating func value(_ flag: Bool) { write(flag ? "true" : "false") }

    package mutating func null() { write("null") }

    private static func line(_ indent: Int) -> String.UTF8View { ("\n" + String(repeating: " ", count: indent)).utf8 }

    /// Writes a text as it is, after a comma if one is needed.
    private mutating func write(_ text: String) {
        separate()
        bytes += text.utf8
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Writes a text in quotes, after a comma if one is needed; RFC 8259 escapes the quote, the backslash and control
    /// characters.
    private mutating func quote(_ text: String, end: Unicode.Scalar? = nil) {
        let utf8 = text.utf8.span
        let (needsComma, isPlain) = (needsComma, utf8.isPlain)
        // One call for the whole text: a device for Home Assistant has a thousand texts.
        bytes.append(addingCapacity: 4 + (isPlain ? 1 : Span.longestEscape) * utf8.count) { json in
            if needsComma { json.append(UInt8(ascii: ",")) }
            json.append(UInt8(ascii: "\""))
            if isPlain { json.append(utf8) } else { json.appendEscaped(utf8) }
            json.append(UInt8(ascii: "\""))
            if let end { json.append(UInt8(ascii: end)) }
        }
        self.needsComma = true
    }
}

extension Span<UInt8> {
    /// How many bytes an escaped byte takes at most: `\u001f`.
    fileprivate static var longestEscape: Int { 6 }

    /// Whether no byte needs an escape.
    fileprivate var isPlain: Bool {
        guard count >= 8 else { return !indices.contains { needsEscape(self[$0]) } }
        var place = 0
        while place < count - 8 {
            if word(at: place).hasEscape { return false }
            place += 8
        }
        return !word(at: count - 8).hasEscape
    }

    /// Eight bytes at once.
    private func word(at place: Int) -> UInt64 { bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self) }
}

extension UInt64 {
    /// Whether one of the eight bytes needs an escape.
    ///
    /// A byte is zero, or less than another, if taking one away sets its highest bit, and it was not set before.
    fileprivate var hasEscape: Bool {
        func each(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
        let (quote, backslash) = (self ^ each(0x22), self ^ each(0x5C))
        let found = (self &- each(0x20)) & ~self | (quote &- each(1)) & ~quote | (backslash &- each(1)) & ~backslash
        return found & each(0x80) != 0
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(_ text: Span<UInt8>) {
        withUnsafeMutableBufferPointer { buffer, count in
            text.withUnsafeBufferPointer { count = buffer[count...].update(fromContentsOf: $0) }
        }
    }

    fileprivate mutating func appendEscaped(_ text: Span<UInt8>) {
        for place in text.indices {
            let byte = text[place]
            guard needsEscape(byte) else { append(byte); continue }
            append(UInt8(ascii: "\\"))
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
            case 0x08: append(UInt8(ascii: "b"))
            case 0x09: append(UInt8(ascii: "t"))
            case 0x0A: append(UInt8(ascii: "n"))
            case 0x0C: append(UInt8(ascii: "f"))
            case 0x0D: append(UInt8(ascii: "r"))
            default: for digit in "u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8 { append(digit) }
            }
        }
    }
}

private func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// Members of an object; a value that is nil is left out.
extension JSONWriter {
    package mutating func member(_ name: String, _ text: String?) { member(name, text) { $0.value($1) } }

    package mutating func member(_ name: String, _ number: Int?) { member(name, number) { $0.value($1) } }

    package mutating func member(_ name: String, _ flag: Bool?) { member(name, flag) { $0.value($1) } }

    package mutating func member(_ name: String, _ texts: [String]?) {
        member(name, texts) { json, texts in json.array { json in for text in texts { json.value(text) } } }
    }

    private mutating func member<Value>(_ name: String, _ value: Value?, write: (inout JSONWriter, Value) -> Void) {
        guard let value else { return }
        self.name(name)
        write(&self, value)
    }

    package mutating func member(_ name: String, _ members: (inout JSONWriter) -> Void) {
        self.name(name)
        object(members)
    }

    /// Members as JSON, for ``add(_:)`` to objects that have them in common.
    package static func members(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return json.bytes
    }

    /// Adds members that ``members(_:)`` has made.
    package mutating func add(_ members: [UInt8]) {
        guard !members.isEmpty else { return }
        separate()
        bytes += members
    }
}
