extension SettingValue {
    /// The value as JSON: names sorted, no spaces, secrets masked (an empty secret is `""`).
    ///
    /// Equal values give equal texts. A number that is not finite becomes null.
    public func json() -> String { String(decoding: jsonBytes(), as: UTF8.self) }

    /// ``json()`` as UTF-8.
    public func jsonBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// The value as JSON for people: objects take a line for each member, lists stay on one line.
    package func indentedJSON() -> String {
        var bytes: [UInt8] = []
        write(to: &bytes, indent: "")
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8], indent: String? = nil) {
        switch self {
        case .null, .unstorable: bytes.append("null")
        case .bool(let value): bytes.append(value ? "true" : "false")
        case .int(let value): bytes.append(String(value))
        case .double(let value): bytes.append(value.isFinite ? value.description : "null")
        case .string(let text): Self.write(text, to: &bytes)
        case .secret(let text): Self.write(text.masked, to: &bytes)
        case .array(let values):
            bytes.append("[")
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(",") }
                value.write(to: &bytes)
            }
            bytes.append("]")
        case .object(let members):
            let inner = members.isEmpty ? nil : indent.map { $0 + "  " }
            bytes.append("{")
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(",") }
                if let inner { bytes.append("\n\(inner)") }
                Self.write(member.key, to: &bytes)
                bytes.append(inner == nil ? ":" : ": ")
                member.value.write(to: &bytes, indent: inner)
            }
            if inner != nil, let indent { bytes.append("\n\(indent)") }
            bytes.append("}")
        }
    }

    /// What has to be escaped: the quote, the backslash, and control characters.
    private static let escapes: [UInt8: String] = [
        0x22: #"\""#, 0x5C: #"\\"#, 0x08: #"\b"#, 0x09: #"\t"#, 0x0A: #"\n"#, 0x0C: #"\f"#, 0x0D: #"\r"#,
    ]

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        var text = text
        text.withUTF8 { utf8 in
            if utf8.allSatisfy(isPlain) { return bytes.append(contentsOf: utf8) }
            for byte in utf8 {
                if isPlain(byte) {
                    bytes.append(byte)
                } else {
                    bytes.append(escapes[byte] ?? #"\u00\#(byte < 0x10 ? "0" : "")\#(String(byte, radix: 16))"#)
                }
            }
        }
        bytes.append(0x22)
    }

    fileprivate static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C }
}

extension [UInt8] {
    /// Appends a text as UTF-8, from the memory that it has.
    fileprivate mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }
}

extension String {
    /// The text as it stands in a JSON string, without the quotation marks.
    package var jsonEscaped: String {
        utf8.allSatisfy(SettingValue.isPlain) ? self : String(SettingValue.string(self).json().dropFirst().dropLast())
    }
}
