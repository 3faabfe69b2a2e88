import CMosquitto

/// Text in packets (MQTT 5.0, section 1.5.4).
enum PacketText {
    /// The most bytes of a text, or of binary data.
    static let maximumSize = 65_535

    /// What is wrong with a topic name or filter, wildcards apart; nil if nothing is.
    static func problem(withTopic text: String) -> String? { text.isEmpty ? "it is empty" : problem(with: text) }

    /// What is wrong with any text; nil if nothing is.
    ///
    /// A receiver may end the connection over a control character or a noncharacter, and mosquitto does.
    static func problem(with text: String) -> String? {
        if text.utf8.count > maximumSize { return "it has more than 65,535 bytes" }
        if text.utf8.contains(0) { return "it has a NUL in it" }
        let isAccepted = mosquitto_validate_utf8(text, Int32(text.utf8.count)) == MOSQ_ERR_SUCCESS.rawValue
        return isAccepted ? nil : "it has a control character or a noncharacter in it"
    }
}
