import CMosquitto

/// The text of a topic or a filter, compared by its bytes: MQTT knows no Unicode equivalence (MQTT 5.0, section 4.7.3).
struct PacketText: Hashable, Sendable {
    /// The most bytes of a text, or of binary data (section 1.5.4).
    static let maximumSize = 65_535

    let text: String

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// The fault of the text, apart from wildcards; nil if it has none.
    ///
    /// A receiver may end the connection over a control character or a noncharacter, and mosquitto does.
    var problem: String? {
        if text.isEmpty { return "it is empty" }
        if text.utf8.count > Self.maximumSize { return "it has more than 65,535 bytes" }
        if text.utf8.contains(0) { return "it has a NUL in it" }
        let isAccepted = mosquitto_validate_utf8(text, Int32(text.utf8.count)) == MOSQ_ERR_SUCCESS.rawValue
        return isAccepted ? nil : "it has a control character or a noncharacter in it"
    }
}
