/// A Huffman code of a JPEG file (ITU-T T.81, annexes C and F).
struct HuffmanCode {
    /// How many bits a look-up takes; longer words are rare.
    static let lookupBits = 10

    /// By the next bits: the length of the word and its symbol, `length << 8 | symbol`; 0 for a longer word.
    let short: [UInt16]
    /// For words of 1 to 16 bits: the first word that is longer, as 16 bits.
    private let ends: [UInt32]
    /// What to add to a word of a length for the index of its symbol.
    private let offsets: [Int]
    private let symbols: [UInt8]

    /// Reads how many words each length has, and the symbols; nil if there are more words than their lengths allow.
    init?(_ definition: ArraySlice<UInt8>) {
        let counts = definition.prefix(16)
        symbols = Array(definition.dropFirst(16))
        var short = [UInt16](repeating: 0, count: 1 << Self.lookupBits)
        var (ends, offsets): ([UInt32], [Int]) = ([], [])
        var (word, index) = (0, 0)
        for (length, count) in zip(1..., counts) {
            offsets.append(index - word)
            for _ in 0..<count {
                guard word < 1 << length else { return nil }
                if length <= Self.lookupBits {
                    let free = Self.lookupBits - length
                    let entry = UInt16(length) << 8 | UInt16(symbols[index])
                    for bits in word << free..<(word + 1) << free { short[bits] = entry }
                }
                (word, index) = (word + 1, index + 1)
            }
            ends.append(UInt32(word) << (16 - UInt32(length)))
            word <<= 1
        }
        (self.short, self.ends, self.offsets) = (short, ends, offsets)
    }

    /// The word that 16 bits begin with, as in ``short``; nil if there is none.
    func long(_ bits: UInt32) -> UInt16? {
        for length in Self.lookupBits + 1...16 where bits < ends[length - 1] {
            let index = Int(bits >> (16 - UInt32(length))) + offsets[length - 1]
            guard symbols.indices.contains(index) else { return nil }
            return UInt16(length) << 8 | UInt16(symbols[index])
        }
        return nil
    }
}
