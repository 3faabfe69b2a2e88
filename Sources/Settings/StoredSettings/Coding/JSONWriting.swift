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
        case .null, .unstorable: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .int(let value): bytes += String(value).utf8
        case .double(let value): bytes += (value.isFinite ? value.description : "null").utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .secret(let text): Self.write(text.masked, to: &bytes)
        case .array(let values):
            bytes += "[".utf8
            for (index, value) in values.enumerated() {
                if index > 0 { bytes += ",".utf8 }
                value.write(to: &bytes)
            }
            bytes += "]".utf8
        case .object(let members):
            let inner = members.isEmpty ? nil : indent.map { $0 + "  " }
            bytes += "{".utf8
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes += ",".utf8 }
                if let inner { bytes += "\n\(inner)".utf8 }
                Self.write(member.key, to: &bytes)
                bytes += (inner == nil ? ":" : ": ").utf8
                member.value.write(to: &bytes, indent: inner)
            }
            if inner != nil, let indent { bytes += "\n\(indent)".utf8 }
            bytes += "}".utf8
        }
    }

    /// What has to be escaped: the quote, the backslash, and control characters.
    private static let escapes: [UInt8: String] = [
        0x22: #"\""#, 0x5C: #"\\"#, 0x08: #"\b"#, 0x09: #"\t"#, 0x0A: #"\n"#, 0x0C: #"\f"#, 0x0D: #"\r"#,
    ]

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        if text.utf8.allSatisfy(isPlain) {
            bytes += text.utf8
        } else {
            for byte in text.utf8 {
                if isPlain(byte) {
                    bytes.append(byte)
                } else {
                    bytes += (escapes[byte] ?? #"\u00\#(byte < 0x10 ? "0" : "")\#(String(byte, radix: 16))"#).utf8
                }
            }
        }
        bytes.append(0x22)
    }

    fileprivate static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C }
}

extension String {
    /// The text as it stands in a JSON string, without the quotation marks.
    package var jsonEscaped: String {
        utf8.allSatisfy(SettingValue.isPlain) ? self : String(SettingValue.string(self).json().dropFirst().dropLast())
    }
}
