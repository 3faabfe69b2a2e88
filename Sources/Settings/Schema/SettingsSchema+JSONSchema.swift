extension SettingsSchema {
    /// A JSON Schema (2020-12) of an object with these settings.
    ///
    /// - Parameters:
    ///   - title: The schema's title.
    ///   - allowsNull: Whether every setting may be null, as in a patch.
    /// - Returns: The schema, to be written as JSON.
    public func jsonSchema(title: String, allowsNull: Bool = false) -> StoredValue {
        let properties = descriptors.map { ($0.name, $0.jsonSchema(allowsNull: allowsNull)) }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": .string(title),
            "type": "object",
            "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
            "additionalProperties": false,
        ]
    }
}

extension SettingDescriptor {
    /// The JSON Schema of the setting: type, default, limits and description.
    public func jsonSchema(allowsNull: Bool = false) -> StoredValue {
        var schema = type.jsonSchema(allowsNull: allowsNull)
        schema["default"] = defaultValue
        if !documentation.isEmpty { schema["description"] = .string(documentation) }
        if isSecret {
            schema["writeOnly"] = true
            schema["format"] = "password"
        }
        if let range = limits.range {
            schema["minimum"] = .int(range.lowerBound)
            schema["maximum"] = .int(range.upperBound)
        }
        if let bounds = limits.bounds {
            schema["minimum"] = .double(bounds.lowerBound)
            schema["maximum"] = .double(bounds.upperBound)
        }
        if let length = limits.length {
            // The default is always accepted, also when it is shorter than the rest must be.
            let accepted = defaultValue.stringValue.map(\.unicodeScalars.count) ?? length.lowerBound
            if min(length.lowerBound, accepted) > 0 { schema["minLength"] = .int(min(length.lowerBound, accepted)) }
            schema["maxLength"] = .int(length.upperBound)
        }
        if let pattern = limits.pattern { schema["pattern"] = .string(pattern) }
        if let allowed = limits.allowed {
            schema["enum"] = .array(allowed + (allowed.contains(defaultValue) ? [] : [defaultValue]))
        }
        if allowsNull, let values = schema["enum"]?.arrayValue, !values.contains(.null) {
            schema["enum"] = .array(values + [.null])
        }
        return .object(schema)
    }
}

extension SettingType {
    fileprivate func jsonSchema(allowsNull: Bool) -> [String: StoredValue] {
        switch self {
        case .bool: ["type": Self.type("boolean", allowsNull)]
        case .int: ["type": Self.type("integer", allowsNull)]
        case .double: ["type": Self.type("number", allowsNull)]
        case .string, .secret: ["type": Self.type("string", allowsNull)]
        case .choice(let base, let values):
            base.jsonSchema(allowsNull: allowsNull).merging(["enum": .array(values)]) { $1 }
        case .optional(let wrapped): wrapped.jsonSchema(allowsNull: true)
        case .array(let element):
            [
                "type": Self.type("array", allowsNull),
                "items": .object(element.jsonSchema(allowsNull: false)),
            ]
        }
    }

    private static func type(_ name: String, _ allowsNull: Bool) -> StoredValue {
        allowsNull ? [.string(name), "null"] : .string(name)
    }
}
