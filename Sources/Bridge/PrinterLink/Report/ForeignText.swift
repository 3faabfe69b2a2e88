import StoredSettings

/// Text of a sender that is not trusted, as the rest of the program may hash, log and publish it.
enum ForeignText {
    /// One line of at most `limit` code points, without control characters, and stream-safe.
    ///
    /// Home Assistant counts code points, too: a single `Character` may have any number of them.
    static func line(_ text: String, scalars limit: Int) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var line = String.UnicodeScalarView()
        var (count, marks) = (0, 0)
        for scalar in text.unicodeScalars {
            guard count < limit else { break }
            var scalar = scalar
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: (scalar, marks) = (" ", 0)
            case .nonspacingMark, .spacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            guard marks <= String.combiningMarkLimit else { continue }
            line.append(scalar)
            count += 1
        }
        return String(line)
    }
}
