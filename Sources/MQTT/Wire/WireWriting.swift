/// Writes the values of a packet one after the other (MQTT 5.0, section 1.5).
extension [UInt8] {
    mutating func append(uint16 value: UInt16) {
        append(UInt8(value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    mutating func append(uint32 value: UInt32) {
        append(uint16: UInt16(value >> 16))
        append(uint16: UInt16(truncatingIfNeeded: value))
    }

    /// A variable byte integer (section 1.5.5).
    mutating func append(varint value: Int) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Text or binary data of at most 65,535 bytes, with its length before it.
    mutating func append(binary content: some Collection<UInt8>) {
        append(uint16: UInt16(content.count))
        self += content
    }
}
