/// A server's words made fit for a message.
enum Printable {
    /// `text` with what a terminal would obey replaced, cut after `limit` characters.
    static func text(_ text: String, limit: Int = 80) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return text }
        let clean = text.unicodeScalars.prefix(limit).map { isHarmless($0) ? String($0) : "?" }.joined()
        return text.unicodeScalars.count > limit ? clean + "…" : clean
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: !WireText.isByte(scalar)
        }
    }
}
