import StoredSettings

extension String {
    /// The text as it stands in a JSON string, without the quotation marks.
    var jsonEscaped: String {
        let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return isPlain ? self : String(SettingValue.string(self).json().dropFirst().dropLast())
    }
}
