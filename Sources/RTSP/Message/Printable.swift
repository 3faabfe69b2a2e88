/// A server's words made fit for a message.
enum Printable {
    /// `text` with control characters replaced, cut after `limit` characters.
    static func text(_ text: String, limit: Int = 80) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return text }
        let clean = text.unicodeScalars.prefix(limit).map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                ? "?" : String(scalar)
        }.joined()
        return text.unicodeScalars.count > limit ? clean + "…" : clean
    }

    /// `text` as a header can carry it: printable ASCII, everything else replaced.
    static func headerText(_ text: String) -> String {
        String(
            decoding: text.utf8.prefix(80).map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") },
            as: UTF8.self
        )
    }
}
