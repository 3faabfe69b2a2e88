extension String {
    /// How many combining marks may follow one another in a text from a sender that is not trusted.
    ///
    /// The number of the Stream-Safe Text Format (Unicode Standard Annex #15, section 13). No language needs a third of it.
    package static let combiningMarkLimit = 30

    /// Whether comparing and hashing the text takes a time that grows with its length only.
    ///
    /// `==` and `hash(into:)` of `String` sort consecutive combining marks: 64 KiB of marks take a quarter of a second
    /// each time.
    package var isStreamSafe: Bool {
        // Marks begin at U+0300, in UTF-8 CC 80.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return true }
        var run = 0
        for scalar in unicodeScalars {
            run = scalar.isCombiningMark ? run + 1 : 0
            if run > Self.combiningMarkLimit { return false }
        }
        return true
    }
}

extension Unicode.Scalar {
    /// Whether comparing and hashing sort the scalar among those beside it: a non-starter, in the words of the annex.
    ///
    /// The three scalars are the only starters that are two non-starters once they are decomposed.
    var isCombiningMark: Bool {
        guard value >= 0x300 else { return false }
        return properties.canonicalCombiningClass != .notReordered || [0xF73, 0xF75, 0xF81].contains(value)
    }
}
