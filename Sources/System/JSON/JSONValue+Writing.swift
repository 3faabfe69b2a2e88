import Secrets

extension JSONValue {
    /// The value as JSON: names sorted, no spaces, secrets masked (an empty secret is `""`).
    ///
    /// Equal values give equal texts. A number that is not finite becomes null.
    public func json() -> String { String(decoding: jsonBytes(), as: UTF8.self) }

    /// ``json()`` as UTF-8.
    public func jsonBytes() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    /// The value as JSON for people: objects take a line for each member, lists stay on one line.
    package func indentedJSON() -> String {
        var json = JSONWriter(isIndented: true)
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .null, .unstorable: json.null()
        case .bool(let value): json.value(value)
        case .int(let value): json.value(value)
        case .double(let value): json.value(value)
        case .string(let text): json.value(text)
        case .secret(let text): json.value(text.masked)
        case .array(let values): json.array { json in for value in values { value.write(to: &json) } }
        case .object(let members):
            json.object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.name(name)
                    value.write(to: &json)
                }
            }
        }
    }
}

extension String {
    /// The text as it stands in a JSON string, without the quotation marks.
    package var jsonEscaped: String {
        // By bytes: a quotation mark and a combining mark after it are one character.
        String(decoding: JSONValue.string(self).jsonBytes().dropFirst().dropLast(), as: UTF8.self)
    }
}
