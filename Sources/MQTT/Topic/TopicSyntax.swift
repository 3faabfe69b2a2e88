/// What topic names and topic filters have in common (MQTT 5.0, section 4.7).
enum TopicSyntax {
    static let slash = UInt8(ascii: "/")
    static let plus = UInt8(ascii: "+")
    static let hash = UInt8(ascii: "#")
    static let dollar = UInt8(ascii: "$")

    static func isWildcard(_ byte: UInt8) -> Bool { byte == plus || byte == hash }

    /// What is wrong with any text that is sent as a topic; nil if nothing is.
    static func problem(with text: String) -> String? {
        text.isEmpty ? "it is empty" : WireText.problem(with: text)
    }
}
