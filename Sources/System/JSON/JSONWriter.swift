/// Writes JSON as UTF-8, straight into the bytes of a message.
///
/// Members and elements come in the order of the calls. The writer sets the commas, and escapes each text.
package struct JSONWriter: ~Copyable {
    /// Memory of our own: an array checks at each append whether it is shared, and messages have thousands of pieces.
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private var count = 0
    /// How many spaces a line begins with; nil for JSON without lines and spaces.
    private var indent: Int?

    /// - Parameters:
    ///   - capacity: About how many bytes are written.
    ///   - isIndented: Whether objects take a line for each member; lists stay on one line.
    package init(capacity: Int = 256, isIndented: Bool = false) {
        memory = .allocate(byteCount: capacity, alignment: 1)
        self.capacity = capacity
        indent = isIndented ? 0 : nil
    }

    deinit { memory.deallocate() }

    /// The bytes that were written so far.
    package var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: memory, count: count)) }

    /// Writes an object; `members` writes a name before each value.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        append(UInt8(ascii: "{"))
        let outer = indent
        indent = outer.map { $0 + 2 }
        members(&self)
        indent = outer
        if outer != nil, last != UInt8(ascii: "{") { beginLine() }
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
        endName()
    }

    /// Writes the name of a member that needs no escape.
    private mutating func name(_ name: StaticString) {
        separate()
        beginLine()
        append(UInt8(ascii: "\""))
        name.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
        append(UInt8(ascii: "\""))
        endName()
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

    private var last: UInt8? { count == 0 ? nil : memory.load(fromByteOffset: count - 1, as: UInt8.self) }

    /// Writes a comma, unless this is the first of a list or object, or the value after a name.
    private mutating func separate() {
        switch last {
        case nil, UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"), UInt8(ascii: " "): break
        default: append(UInt8(ascii: ","))
        }
    }

    private mutating func beginLine() {
        guard let indent else { return }
        append(UInt8(ascii: "\n"))
        for _ in 0..<indent { append(UInt8(ascii: " ")) }
    }

    private mutating func endName() {
        append(UInt8(ascii: ":"))
        if indent != nil { append(UInt8(ascii: " ")) }
    }

    private mutating func append(_ byte: UInt8) {
        makeRoom(for: 1)
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        makeRoom(for: bytes.count)
        (memory + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    private mutating func append(_ text: String) { text.withBytes { append($0) } }

    @inline(__always)
    private mutating func makeRoom(for more: Int) {
        if count + more > capacity { grow(by: more) }
    }

    private mutating func grow(by more: Int) {
        capacity = 2 * (count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
    }

    private mutating func quote(_ text: String) {
        append(UInt8(ascii: "\""))
        escape(text)
        append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ text: String) {
        text.withBytes { bytes in
            var rest = bytes
            while true {
                let plain = Self.plainLength(of: rest)
                append(UnsafeRawBufferPointer(rebasing: rest[..<plain]))
                guard plain < rest.count else { break }
                append(Self.escaped(rest[plain]))
                rest = UnsafeRawBufferPointer(rebasing: rest[(plain + 1)...])
            }
        }
    }

    /// How many bytes stand for themselves before the first that has to be escaped: RFC 8259 escapes the quote, the
    /// backslash and control characters.
    private static func plainLength(of text: UnsafeRawBufferPointer) -> Int {
        var length = 0
        // Eight bytes at once: texts are long, and few have a byte to escape.
        while length + 8 <= text.count,
            hasOnlyPlainBytes(text.loadUnaligned(fromByteOffset: length, as: UInt64.self))
        {
            length += 8
        }
        while length < text.count, isPlain(text[length]) { length += 1 }
        return length
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Whether all eight bytes of a word are plain.
    ///
    /// Subtracting n sets the highest bit of a byte that is less than n; `& ~` ignores bytes that had the bit before.
    /// Only a byte less than n borrows from the next byte, and that byte alone makes the answer false, so the answer is
    /// right. After XOR with a character, the bytes that equal the character are zero, which is less than one.
    private static func hasOnlyPlainBytes(_ word: UInt64) -> Bool {
        let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let (quotes, backslashes) = (word ^ (ones * 0x22), word ^ (ones * 0x5C))
        let controls = (word &- ones * 0x20) & ~word
        let escaped = controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return escaped & highBits == 0
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

extension String {
    /// Runs a closure on the text as UTF-8; unlike `withUTF8`, it copies only a text whose storage is not contiguous.
    fileprivate func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        guard utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) == nil else { return }
        var copy = self
        copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

/// Members of an object; a value that is nil is left out. A constant name has no character that needs an escape.
extension JSONWriter {
    package mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        value(text)
    }

    /// Writes a text that comes in parts; this saves making the text.
    package mutating func member(_ name: StaticString, joining first: String, _ second: String, _ third: String = "") {
        self.name(name)
        append(UInt8(ascii: "\""))
        escape(first)
        escape(second)
        escape(third)
        append(UInt8(ascii: "\""))
    }

    package mutating func member(_ name: StaticString, _ number: Int?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    package mutating func member(_ name: StaticString, _ flag: Bool?) {
        guard let flag else { return }
        self.name(name)
        value(flag)
    }

    package mutating func member(_ name: StaticString, _ texts: [String]?) {
        guard let texts else { return }
        self.name(name)
        array { json in for text in texts { json.value(text) } }
    }

    package mutating func member(_ name: String, _ members: (inout JSONWriter) -> Void) {
        self.name(name)
        object(members)
    }
}
