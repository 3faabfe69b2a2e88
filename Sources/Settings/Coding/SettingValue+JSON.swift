extension SettingValue {
    /// Reads one JSON text (RFC 8259) from a sender that is not trusted.
    ///
    /// - Parameters:
    ///   - json: The UTF-8 bytes.
    ///   - limits: How many bytes and how much nesting are read.
    /// - Throws: ``JSONError``, with the place of the fault.
    package init(json: some Collection<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        var parser = try JSONParser(json, limits: limits)
        self = try parser.document()
    }

    /// Reads one JSON text; see ``init(json:limits:)-(Collection<UInt8>,_)``.
    package init(json: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        try self.init(json: json.utf8, limits: limits)
    }

    /// Reads JSON that was written here, of any size, and throws rather than round a number.
    init(exactly json: some Collection<UInt8>) throws(JSONError) {
        var parser = try JSONParser(json, limits: JSONLimits(bytes: .max, depth: 512), isExact: true)
        self = try parser.document()
    }

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

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null, .unstorable: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): bytes.append(contentsOf: String(value).utf8)
        case .double(let value): bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
        case .string(let value): Self.write(value, to: &bytes)
        case .secret(let value): Self.write(value.masked, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
            case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
            case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
            case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
            case 0x0C: bytes.append(contentsOf: #"\f"#.utf8)
            case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
            case 0..<0x20:
                bytes.append(contentsOf: (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8)
                bytes.append(contentsOf: String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension SettingValue {
    /// The value as JSON for people: objects take a line for each member, lists stay on one line.
    func indentedJSON() -> String {
        var text = ""
        write(to: &text, indent: "")
        return text
    }

    private func write(to text: inout String, indent: String) {
        guard case .object(let members) = self, !members.isEmpty else {
            text += json()
            return
        }
        let inner = indent + "  "
        text += "{"
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            text += "\(index > 0 ? "," : "")\n\(inner)\(SettingValue.string(member.key).json()): "
            member.value.write(to: &text, indent: inner)
        }
        text += "\n\(indent)}"
    }
}
