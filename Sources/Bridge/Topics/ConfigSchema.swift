public import StoredSettings

/// The JSON Schema of a printer's configuration as it is reported: what can be set, and, read-only, what is computed.
public func configSchema() -> SettingValue {
    guard case .object(var schema) = PrinterSettings.schema.jsonSchema(title: "Configuration of a printer"),
        case .object(var properties)? = schema["properties"]
    else { return .null }
    for setting in PrinterSettings.emptyWhileUnset {
        guard case .object(var property)? = properties[setting.name], let length = setting.constraints.length else {
            continue
        }
        property["default"] = nil
        property["minLength"] = .int(length.lowerBound)
        properties[setting.name] = .object(property)
    }
    for member in ReportedMember.allCases {
        properties[member.rawValue] = [
            "type": member.type, "readOnly": true, "description": .string(member.summary),
        ]
    }
    schema["properties"] = .object(properties)
    return .object(schema)
}
