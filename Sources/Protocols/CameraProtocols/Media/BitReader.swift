/// Reads the bits of a NAL unit's payload; past the end everything is nil (H.264, sections 7.2 and 9.1).
package struct BitReader {
    /// Without the emulation prevention bytes.
    package let bytes: [UInt8]
    private(set) var position = 0

    /// - Parameter unit: The unit with its emulation prevention bytes, which are dropped here.
    package init(_ unit: ArraySlice<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(unit.count)
        var zeroCount = 0
        for byte in unit {
            if zeroCount >= 2, byte == 3 {
                zeroCount = 0
                continue
            }
            zeroCount = byte == 0 ? zeroCount + 1 : 0
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    mutating func skip(_ count: Int) -> Void? {
        guard position + count <= bytes.count * 8 else { return nil }
        position += count
        return ()
    }

    /// At most 32 bits.
    package mutating func bits(_ count: Int) -> Int? {
        guard position + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position >> 3] >> (7 - position & 7) & 1)
            position += 1
        }
        return value
    }

    mutating func flag() -> Bool? { bits(1).map { $0 == 1 } }

    /// An unsigned Exp-Golomb number.
    package mutating func unsigned() -> Int? {
        var zeroCount = 0
        while let bit = bits(1) {
            if bit == 1 { return bits(zeroCount).map { (1 << zeroCount) - 1 + $0 } }
            zeroCount += 1
            if zeroCount > 32 { return nil }
        }
        return nil
    }

    /// A signed Exp-Golomb number.
    mutating func signed() -> Int? {
        unsigned().map { $0 & 1 == 1 ? ($0 + 1) / 2 : -($0 / 2) }
    }

    /// What the cropping of a sequence parameter set leaves of a picture (H.264, section 7.4.2.1.1; H.265, section 7.4.3.2.1).
    ///
    /// `chroma` is the format of its chroma, and `fields` the number of the fields that a picture has.
    mutating func cropped(width: Int, height: Int, chroma: Int, fields: Int = 1) -> (width: Int, height: Int)? {
        guard let isCropped = flag() else { return nil }
        var (width, height) = (width, height)
        if isCropped {
            guard let left = unsigned(), let right = unsigned(), let top = unsigned(), let bottom = unsigned() else {
                return nil
            }
            width -= (left + right) * (chroma == 1 || chroma == 2 ? 2 : 1)
            height -= (top + bottom) * (chroma == 1 ? 2 : 1) * fields
        }
        return width > 0 && height > 0 ? (width, height) : nil
    }
}
