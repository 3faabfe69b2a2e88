/// A Huffman code of a JPEG file (ITU-T T.81, annexes C and F).
struct HuffmanCode {
    /// For words of 1 to 16 bits: the first word that is longer, as 16 bits.
    private let ends: [UInt32]
    /// What to add to a word of a length for the index of its symbol.
    private let offsets: [Int]
    private let symbols: [UInt8]

    /// Reads how many words each length has, and the symbols; nil if there are more words than their lengths allow.
    init?(_ definition: ArraySlice<UInt8>) {
        symbols = Array(definition.dropFirst(16))
        var (ends, offsets): ([UInt32], [Int]) = ([], [])
        var (word, index) = (0, 0)
        for (length, count) in zip(1..., definition.prefix(16).map(Int.init)) {
            offsets.append(index - word)
            (word, index) = (word + count, index + count)
            guard word <= 1 << length else { return nil }
            ends.append(UInt32(word) << (16 - UInt32(length)))
            word <<= 1
        }
        (self.ends, self.offsets) = (ends, offsets)
    }

    /// The length and the symbol of the word that 16 bits begin with; nil if there is none.
    func word(_ bits: UInt32) -> (length: Int, symbol: UInt8)? {
        for length in 1...16 where bits < ends[length - 1] {
            let index = Int(bits >> (16 - UInt32(length))) + offsets[length - 1]
            return symbols.indices.contains(index) ? (length, symbols[index]) : nil
        }
        return nil
    }
}
