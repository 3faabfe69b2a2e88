/// A server's words made fit for a message.
enum Printable {
    /// `text` with control characters replaced, cut after `limit` characters.
    static func text(_ text: String, limit: Int = 80) -> String {
        let clean = text.unicodeScalars.prefix(limit).map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                ? "?" : String(scalar)
        }.joined()
        return text.unicodeScalars.count > limit ? clean + "…" : clean
    }
}
