/// Text in a packet (MQTT 5.0, section 1.5.4).
enum WireText {
    static let maximumSize = 65_535

    /// What is wrong with it; nil if nothing is.
    ///
    /// A receiver may end the connection over a control character or a noncharacter, and mosquitto does.
    static func problem(with text: String) -> String? {
        if text.utf8.count > maximumSize { return "it has more than 65,535 bytes" }
        if text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return nil }
        if text.utf8.contains(0) { return "it has a NUL in it" }
        return text.unicodeScalars.allSatisfy(isForText) ? nil : "it has a control character or a noncharacter in it"
    }

    private static func isForText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f, 0xfdd0...0xfdef: false
        default: scalar.value & 0xfffe != 0xfffe
        }
    }
}
