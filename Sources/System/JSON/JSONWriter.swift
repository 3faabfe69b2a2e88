/// Writes JSON as UTF-8, straight into the bytes of a message.
///
/// Members and elements come in the order of the calls. The writer sets the commas, and escapes each text.
package struct JSONWriter: ~Copyable {
    /// The bytes that were written so far.
    package private(set) var bytes: [UInt8] = []
    /// How many spaces a line begins with; nil for JSON without lines and spaces.
    private var indent: Int?

    /// - Parameters:
    ///   - capacity: About how many bytes are written.
    ///   - isIndented: Whether objects take a line for each member; lists stay on one line.
    package init(capacity: Int = 256, isIndented: Bool = false) {
        bytes.reserveCapacity(capacity)
        indent = isIndented ? 0 : nil
    }

    /// Writes an object; `members` writes a name before each value.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        append(UInt8(ascii: "{"))
        let outer = indent
        indent = outer.map { $0 + 2 }
        members(&self)
        indent = outer
        if outer != nil, bytes.last != UInt8(ascii: "{") { beginLine() }
        append(UInt8(ascii: "}"))
    }

    /// Writes a list of the values that `elements` writes.
    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        separate()
        append(UInt8(ascii: "["))
        let outer = indent
        indent = nil
        elements(&self)
        indent = outer
        append(UInt8(ascii: "]"))
    }

    /// Writes the name of a member; its value comes next.
    package mutating func name(_ name: String) {
        separate()
        beginLine()
        quote(name)
        append(UInt8(ascii: ":"))
        if indent != nil { append(UInt8(ascii: " ")) }
    }

    package mutating func value(_ text: String) {
        separate()
        quote(text)
    }

    package mutating func value(_ number: Int) {
        separate()
        append(String(number))
    }

    /// Writes a number; one that is not finite becomes null.
    package mutating func value(_ number: Double) {
        separate()
        append(number.isFinite ? number.description : "null")
    }

    package mutating func value(_ flag: Bool) {
        separate()
        append(flag ? "true" : "false")
    }

    package mutating func null() {
        separate()
        append("null")
    }

    /// Writes a comma, unless this is the first of a list or object, or the value after a name.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"), UInt8(ascii: " "): break
        default: append(UInt8(ascii: ","))
        }
    }

    private mutating func beginLine() {
        guard let indent else { return }
        append(UInt8(ascii: "\n"))
        for _ in 0..<indent { append(UInt8(ascii: " ")) }
    }

    private mutating func append(_ byte: UInt8) { bytes.append(byte) }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Writes a text in quotes; RFC 8259 escapes the quote, the backslash and control characters.
    private mutating func quote(_ text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var rest = utf8[...]
            while let place = rest.firstIndex(where: Self.needsEscape) {
                bytes.append(contentsOf: rest[..<place])
                append(Self.escaped(rest[place]))
                rest = rest[(place + 1)...]
            }
            bytes.append(contentsOf: rest)
        }
        append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): #"\""#
        case UInt8(ascii: "\\"): #"\\"#
        case 0x08: #"\b"#
        case 0x09: #"\t"#
        case 0x0A: #"\n"#
        case 0x0C: #"\f"#
        case 0x0D: #"\r"#
        default: #"\u00\#(byte < 0x10 ? "0" : "")\#(String(byte, radix: 16))"#
        }
    }
}

/// Members of an object; a value that is nil is left out.
extension JSONWriter {
    package mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        value(text)
    }

    package mutating func member(_ name: String, _ number: Int?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    package mutating func member(_ name: String, _ flag: Bool?) {
        guard let flag else { return }
        self.name(name)
        value(flag)
    }

    package mutating func member(_ name: String, _ texts: [String]?) {
        guard let texts else { return }
        self.name(name)
        array { json in for text in texts { json.value(text) } }
    }

    package mutating func member(_ name: String, _ members: (inout JSONWriter) -> Void) {
        self.name(name)
        object(members)
    }
}
