import Platform

/// The kinds of values that a property list has, but JSON does not have.
package enum NativeKind: String {
    case date = "NSDate"
    case data = "NSData"
}

extension JSONValue {
    /// A date or data of a property list; not a text, so that a setting of another type does not read it.
    package init(_ kind: NativeKind, _ text: JSONValue) { self = .object([kind.rawValue: text]) }

    /// The text of a date or data of a property list; nil for any other value.
    package func native(_ kind: NativeKind) -> JSONValue? {
        objectValue.flatMap { $0.count == 1 ? $0[kind.rawValue] : nil }
    }

    /// The value as a setting of `type` reads it: other code keeps `Codable` values as JSON in data.
    func read(as type: SettingType) -> JSONValue {
        // A dictionary may have such a key itself. Other code keeps one as JSON in data.
        if case .dictionary = type.base {
            let json = native(.data).flatMap { Data(stored: $0) }.flatMap { try? JSONValue(exactly: $0) }
            return json?.objectValue == nil ? self : json ?? self
        }
        if let date = native(.date), Date(stored: date) != nil {
            return type.base == .string(.dateTime) ? date : .unstorable("a date")
        }
        guard let text = native(.data) else { return self }
        if type.base == .string(.base64) { return text }
        guard let bytes = Data(stored: text) else { return self }
        if let json = try? JSONValue(exactly: bytes) { return json }
        // The type reads numbers that a store cannot hold.
        let own = type.encodesItself ? String(validating: bytes, as: UTF8.self) : nil
        return own.map(JSONValue.string) ?? .unstorable("data that is no JSON")
    }
}
