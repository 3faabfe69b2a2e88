/// How text looks on a terminal; elsewhere it stays as it is.
enum TextStyle: Int {
    case bold = 1
    case red = 31
    case green = 32
    case yellow = 33

    /// The text with the codes of ECMA-48, section 8.3.117, if the output may have colours.
    func apply(_ text: String, if hasColors: Bool = Terminal.hasColors) -> String {
        hasColors && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
