/// Reads the values of a packet one after the other (MQTT 5.0, section 1.5); never beyond its end.
struct WireReader {
    private let bytes: UnsafeRawBufferPointer
    private var position: Int

    init(_ bytes: UnsafeRawBufferPointer, from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var left: Int { bytes.count - position }

    mutating func byte() throws(ProtocolViolation) -> UInt8 {
        try require(1)
        defer { position += 1 }
        return bytes[position]
    }

    mutating func uint16() throws(ProtocolViolation) -> UInt16 {
        try require(2)
        defer { position += 2 }
        return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
    }

    mutating func uint32() throws(ProtocolViolation) -> UInt32 {
        let high = try uint16()
        return UInt32(high) << 16 | UInt32(try uint16())
    }

    /// A packet identifier, which is never 0 (section 2.2.1).
    mutating func identifier() throws(ProtocolViolation) -> UInt16 {
        let value = try uint16()
        guard value != 0 else { throw .forbidden("a packet identifier is 0") }
        return value
    }

    /// A variable byte integer of at most four bytes (section 1.5.5).
    mutating func varint() throws(ProtocolViolation) -> Int {
        var value = 0
        for shift in stride(from: 0, through: 21, by: 7) {
            let byte = try byte()
            value |= Int(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw .malformed("a length has more than four bytes")
    }

    mutating func binary() throws(ProtocolViolation) -> UnsafeRawBufferPointer {
        try skip(Int(uint16()))
    }

    /// UTF-8 without NUL (section 1.5.4).
    mutating func string() throws(ProtocolViolation) -> UnsafeRawBufferPointer {
        let text = try binary()
        var isASCII = true
        for byte in text {
            guard byte != 0 else { throw .malformed("a string has a NUL in it") }
            if byte >= 0x80 { isASCII = false }
        }
        guard isASCII || String(validating: text, as: UTF8.self) != nil else {
            throw .malformed("a string is not UTF-8")
        }
        return text
    }

    @discardableResult
    mutating func skip(_ count: Int) throws(ProtocolViolation) -> UnsafeRawBufferPointer {
        try require(count)
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }

    private func require(_ count: Int) throws(ProtocolViolation) {
        guard count <= left else { throw .malformed("a packet ends too early") }
    }
}
