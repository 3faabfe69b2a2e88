/// Text that may begin a topic.
enum TopicLevel {
    /// Why `text` can't; nil when it can.
    static func fault(in text: String) -> String? {
        if text.utf8.contains(where: { $0 < 0x21 || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) {
            return "must not contain +, #, spaces or control characters"
        }
        if text.hasPrefix("/") || text.hasSuffix("/") { return "must not begin or end with /" }
        return text.hasPrefix("$") ? "must not begin with $" : nil
    }
}
