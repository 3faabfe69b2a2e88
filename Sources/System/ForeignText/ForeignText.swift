/// Foreign text, made fit for the rest of the program: short, and without what makes it slow to compare or dangerous to show.
///
/// A stranger's text passes here where it enters. Behind this door it may be hashed, compared, logged and published.
package enum ForeignText {
    /// The text as a name or an id, unchanged; nil if it has more than `bytes` bytes, or is not ``Swift/String/isStreamSafe``.
    package static func key(_ text: String, bytes limit: Int = 128) -> String? {
        text.utf8.count <= limit && text.isStreamSafe ? text : nil
    }

    /// The text for one line that people read, cut after `limit` code points.
    ///
    /// What a terminal or a log would obey becomes `?`, and combining marks beyond ``Swift/String/combiningMarkLimit`` in a row
    /// are dropped. The cost depends on the limit, not on the length of the text.
    package static func line(_ text: some StringProtocol, scalars limit: Int = 80) -> String {
        var line = String.UnicodeScalarView()
        var (count, marks) = (0, 0)
        for scalar in text.unicodeScalars.prefix(4 * limit + 1) {
            guard count < limit else {
                line.append("…")
                break
            }
            marks = scalar.isCombiningMark ? marks + 1 : 0
            guard marks <= String.combiningMarkLimit else { continue }
            line.append(scalar.isObeyed ? "?" : scalar)
            count += 1
        }
        return String(line)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal, a log or the direction of the text around it would obey it, or it stands for a byte of no text.
    fileprivate var isObeyed: Bool {
        // Letters of some scripts, and pictures of several parts, need the two joiners.
        if isASCII || self == "\u{200C}" || self == "\u{200D}" { return value < 0x20 || value == 0x7F }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: return true
        default: return false
        }
    }
}
