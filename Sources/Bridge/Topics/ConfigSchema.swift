public import Settings

/// The JSON Schema of a printer's configuration as it is reported: what can be set, and, read-only, what is computed.
public func configSchema() -> StoredValue {
    guard case .object(var schema) = PrinterSettings.schema.jsonSchema(title: "Configuration of a printer"),
        case .object(var properties)? = schema["properties"]
    else { return .null }
    func computed(_ name: String, _ type: StoredValue, _ description: String) {
        properties[name] = ["type": type, "readOnly": true, "description": .string(description)]
    }
    computed("configured", "boolean", "Whether address and access code are both set.")
    computed("stream_url", ["string", "null"], "The stream URL, without user and access code.")
    computed("announced_ip", ["string", "null"], "Another address at which the printer announced itself.")
    computed("meta", "object", "Revision and epoch, when and by whom it was changed, and the last wish handled.")
    schema["properties"] = .object(properties)
    return .object(schema)
}
