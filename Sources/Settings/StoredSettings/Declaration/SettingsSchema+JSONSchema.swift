extension SettingsSchema {
    /// A JSON Schema (2020-12) of an object with these settings; with `allowsNull` each may be null, as in a patch.
    public func jsonSchema(title: String, allowsNull: Bool = false) -> JSONValue {
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
    package func jsonSchema(allowsNull: Bool = false) -> JSONValue {
        var schema = type.jsonSchema(allowsNull: allowsNull)
        // A mask would be none of the values.
        if !defaultValue.isMasked, defaultValue.storageFault == nil { schema["default"] = defaultValue }
        if !documentation.isEmpty { schema["description"] = .string(documentation) }
        if isSecret {
            schema["writeOnly"] = true
            schema["format"] = "password"
        }
        // The default is always accepted, also outside of the limits for the rest.
        if let range = constraints.range {
            let accepted = defaultValue.intValue ?? range.lowerBound
            schema["minimum"] = .int(min(range.lowerBound, accepted))
            schema["maximum"] = .int(max(range.upperBound, accepted))
        }
        if let bounds = constraints.bounds {
            let accepted = defaultValue.doubleValue ?? bounds.lowerBound
            let (least, greatest) = (min(bounds.lowerBound, accepted), max(bounds.upperBound, accepted))
            // JSON has no infinity, and an infinite bound limits nothing.
            if least.isFinite { schema["minimum"] = .double(least) }
            if greatest.isFinite { schema["maximum"] = .double(greatest) }
        }
        if let length = constraints.length {
            let accepted = defaultValue.stringValue.map(\.unicodeScalars.count) ?? length.lowerBound
            if min(length.lowerBound, accepted) > 0 { schema["minLength"] = .int(min(length.lowerBound, accepted)) }
            schema["maxLength"] = .int(max(length.upperBound, accepted))
        }
        if let allowed = constraints.allowed {
            schema["enum"] = .array(allowed + (allowed.contains(defaultValue) ? [] : [defaultValue]))
        }
        if allowsNull, let values = schema["enum"]?.arrayValue, !values.contains(.null) {
            schema["enum"] = .array(values + [.null])
        }
        return .object(schema)
    }
}

extension SettingType {
    fileprivate func jsonSchema(allowsNull: Bool) -> [String: JSONValue] {
        var schema = jsonSchema
        // A schema without a type allows null already.
        guard allowsNull, let type = schema["type"] else { return schema }
        let types = type.arrayValue ?? [type]
        if !types.contains("null") { schema["type"] = .array(types + ["null"]) }
        return schema
    }

    private var jsonSchema: [String: JSONValue] {
        switch self {
        case .bool: return ["type": "boolean"]
        case .integer(let bits, let isSigned) where isTextBeyondNumbers:
            let digits = "[0-9]{19,\(bits == 64 ? 20 : 39)}$"
            if isSigned { return ["type": ["integer", "string"], "pattern": .string("^-?" + digits)] }
            return ["type": ["integer", "string"], "pattern": .string("^" + digits), "minimum": 0]
        case .integer:
            guard let range else { return ["type": "integer"] }
            return ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
        case .double: return ["type": "number"]
        case .string(let format): return ["type": "string"].merging(format?.jsonSchema ?? [:]) { $1 }
        case .secret(let type): return type.jsonSchema
        case .choice(let base, let values): return base.jsonSchema.merging(["enum": .array(values)]) { $1 }
        case .optional(let wrapped): return wrapped.jsonSchema(allowsNull: true)
        case .array(let element): return ["type": "array", "items": .object(element.jsonSchema)]
        case .set(let element): return ["type": "array", "items": .object(element.jsonSchema), "uniqueItems": true]
        case .dictionary(let value): return ["type": "object", "additionalProperties": .object(value.jsonSchema)]
        case .json: return [:]
        }
    }
}

extension JSONValue {
    fileprivate var isMasked: Bool { if case .secret(let text) = self { !text.isEmpty } else { false } }
}

extension SettingType.TextFormat {
    /// What a schema adds to "string"; the formats are those of JSON Schema Validation (2020-12), section 7.3.
    fileprivate var jsonSchema: [String: JSONValue] {
        switch self {
        case .dateTime: ["format": "date-time"]
        case .uri: ["format": "uri-reference"]
        case .uuid: ["format": "uuid"]
        case .decimal: ["pattern": #"^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$"#]
        case .base64: ["contentEncoding": "base64"]
        }
    }
}
