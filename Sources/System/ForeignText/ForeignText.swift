/// Makes a stranger's text short, fast to compare and safe to show.
///
/// A stranger's text passes here where it enters the program. After that it may be hashed, compared, logged and
/// published.
package enum ForeignText {
    /// The text as a name or an id, unchanged; nil if it has more than `bytes` bytes, or is not ``Swift/String/isStreamSafe``.
    package static func key(_ text: String, bytes limit: Int = 128) -> String? {
        text.utf8.count <= limit && text.isStreamSafe ? text : nil
    }

    /// The text for one line that people read: at most `limit` code points, as Home Assistant counts them.
    ///
    /// A longer text ends in `…`. Line ends and tabs become blanks. Other characters that a terminal or a log would
    /// obey become `?`. Combining marks beyond ``Swift/String/combiningMarkLimit`` in a row are dropped. The cost
    /// depends on the limit, not on the length of the text.
    package static func line(_ text: String, scalars limit: Int = 80) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var line: [Unicode.Scalar] = []
        var marks = 0
        for scalar in text.unicodeScalars.prefix(4 * limit) where line.count <= limit {
            marks = scalar.isCombiningMark ? marks + 1 : 0
            if marks <= String.combiningMarkLimit { line.append(scalar.inLine) }
        }
        if line.count > limit { line.replaceSubrange((limit - 1)..., with: ["…"]) }
        return String(String.UnicodeScalarView(line))
    }
}

extension Unicode.Scalar {
    /// The scalar, or a replacement if it would control a terminal, a log or the direction of the text around it.
    fileprivate var inLine: Unicode.Scalar {
        // Letters of some scripts, and emoji of several parts, need the two joiners.
        if (0x20..<0x7F).contains(value) || self == "\u{200C}" || self == "\u{200D}" { return self }
        if ["\t", "\n", "\u{B}", "\u{C}", "\r", "\u{85}"].contains(self) { return " " }
        switch properties.generalCategory {
        case .lineSeparator, .paragraphSeparator: return " "
        // The readers of camera answers keep bytes that are not text as characters for private use.
        case .control, .format, .privateUse: return "?"
        default: return self
        }
    }
}
