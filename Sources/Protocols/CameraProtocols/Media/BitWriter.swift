/// Writes bits, the most significant one first, as those of a NAL unit's payload; ``BitReader`` reads them.
package struct BitWriter {
    package private(set) var bytes: [UInt8] = []
    private var free = 0

    package init() {}

    package mutating func write(_ value: Int, _ count: Int) {
        for bit in (0..<count).reversed() {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(free) }
        }
    }

    /// An unsigned Exp-Golomb number.
    package mutating func writeCode(_ value: Int) {
        let count = Int.bitWidth - (value + 1).leadingZeroBitCount
        write(value + 1, 2 * count - 1)
    }

    mutating func copy(_ source: [UInt8], from start: Int, to end: Int) {
        for bit in start..<end { write(Int(source[bit / 8] >> UInt8(7 - bit % 8)), 1) }
    }

    /// Fills the last byte up.
    package mutating func fill(_ bit: Int) { while free > 0 { write(bit, 1) } }

    /// The payload of a NAL unit: the written bits, the stop bit, and emulation prevention bytes (H.264, section 7.4.1).
    package var unit: [UInt8] {
        var ended = self
        ended.write(1, 1)
        return ended.bytes.reduce(into: []) { unit, byte in
            if byte <= 3, unit.suffix(2) == [0, 0] { unit.append(3) }
            unit.append(byte)
        }
    }
}
