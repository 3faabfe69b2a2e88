/// Reads the entropy-coded data of a JPEG file up to the next marker; after it, all bits are zero.
struct EntropyReader {
    private let bytes: [UInt8]
    private let codes: [HuffmanCode?]
    private var position: Int
    /// The next bits, from the highest one on.
    private var bits: UInt64 = 0
    /// The number of bits in `bits`; negative if more bits were taken than the data have.
    private var count = 0

    init(_ bytes: [UInt8], at position: Int, _ codes: [HuffmanCode?]) {
        (self.bytes, self.position, self.codes) = (bytes, position, codes)
    }

    /// A DC coefficient's difference to the one before, by the number of its code; nil if the data are damaged.
    mutating func dc(_ code: Int) -> Int? {
        guard let size = word(code), size <= 15, count >= 0 else { return nil }
        guard size > 0 else { return 0 }
        let value = Int(bits >> (64 - UInt64(size)))
        take(Int(size))
        return value < 1 << (size - 1) ? value - 1 << size + 1 : value
    }

    /// Passes over a block's AC coefficients; false if the data are damaged.
    mutating func skipAC(_ code: Int) -> Bool {
        var index = 1
        while index < 64 {
            guard let symbol = word(code) else { return false }
            let (zeros, size) = (Int(symbol >> 4), Int(symbol & 15))
            // The block's other coefficients are zero.
            if size == 0, zeros < 15 { break }
            take(size)
            index += zeros + 1
        }
        return count >= 0
    }

    /// Continues after a restart marker; false if the next bytes are no restart marker.
    mutating func restart() -> Bool {
        while position + 1 < bytes.count, bytes[position] == 0xff, bytes[position + 1] == 0xff { position += 1 }
        guard position + 1 < bytes.count, bytes[position] == 0xff, 0xd0...0xd7 ~= bytes[position + 1] else {
            return false
        }
        position += 2
        (bits, count) = (0, 0)
        return true
    }

    /// The symbol of the next word; afterwards there are bits for its value.
    @inline(__always)
    private mutating func word(_ code: Int) -> UInt8? {
        // A word has 16 bits at most, and its value 15.
        if count < 32 { fill() }
        guard let (length, symbol) = codes[code]?.word(UInt32(bits >> 48)) else { return nil }
        take(length)
        return symbol
    }

    @inline(__always)
    private mutating func take(_ number: Int) {
        bits <<= UInt64(number)
        count -= number
    }

    private mutating func fill() {
        while count <= 56, position < bytes.count {
            let byte = bytes[position]
            if byte == 0xff {
                // In data, 0xff has a zero after it; elsewhere it begins a marker.
                guard position + 1 < bytes.count, bytes[position + 1] == 0 else { return }
                position += 1
            }
            position += 1
            bits |= UInt64(byte) << UInt64(56 - count)
            count += 8
        }
    }
}
