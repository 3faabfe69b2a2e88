package import StoredSettings

/// The JSON Schema of a printer's configuration as it is reported: what can be set, and, read-only, what is computed.
///
/// `$defs` has the schema of a patch.
package func configSchema() -> JSONValue {
    var schema = PrinterSettings.schema.jsonSchema(title: "Configuration of a printer").objectValue ?? [:]
    var properties = schema["properties"]?.objectValue ?? [:]
    for setting in PrinterSettings.emptyWhileUnset {
        guard var property = properties[setting.name]?.objectValue, let length = setting.constraints.length else {
            continue
        }
        property["default"] = nil
        property["minLength"] = .int(length.lowerBound)
        properties[setting.name] = .object(property)
    }
    for name in properties.keys {
        guard var property = properties[name]?.objectValue else { continue }
        property["title"] = .string(PrinterSettings.title(of: name))
        properties[name] = .object(property)
    }
    for member in ReportedMember.allCases {
        properties[member.rawValue] = [
            "type": member.type, "readOnly": true, "description": .string(member.summary),
        ]
    }
    schema["properties"] = .object(properties)
    schema["$defs"] = ["patch": patchSchema()]
    return .object(schema)
}

/// What `B/<p>/config` holds besides settings: computed by the bridge, and not to be set.
package enum ReportedMember: String, Sendable, CaseIterable {
    case configured
    case streamURL = "stream_url"
    case announcedIP = "announced_ip"
    case announcedIPProof = "announced_ip_proof"
    case meta

    var type: JSONValue {
        switch self {
        case .configured: "boolean"
        case .streamURL, .announcedIP, .announcedIPProof: ["string", "null"]
        case .meta: "object"
        }
    }

    var summary: String {
        switch self {
        case .configured: "Whether camera_url is set, or (unless model is other) address and access code."
        case .streamURL: "The stream URL, without user and access code."
        case .announcedIP: "Another address at which the printer announced itself."
        case .announcedIPProof:
            "What the certificate there says: proven, it is the printer's; claimed, it only has the serial as its name."
        case .meta: "Revision and epoch, when and by whom it was changed, and the last message that changed something."
        }
    }
}

extension PrinterSettings {
    /// The fault for a name that is no setting.
    package static func unknown(_ name: String) -> ValidationError { schema.unknown(name).knowingPrinters }

    /// What other programs call the address of a printer.
    fileprivate static let addressNames: Set = ["host", "hostname", "address", "ip_address"]
}

extension ValidationError {
    /// The same, with a clearer message for members that are only reported, and for other names of the address.
    var knowingPrinters: ValidationError {
        guard code == .unknownKey else { return self }
        if ReportedMember(rawValue: path) != nil {
            return ValidationError(path, "read_only", "is only reported: leave it out")
        }
        guard PrinterSettings.addressNames.contains(path.lowercased()) else { return self }
        return ValidationError(path, code, "is not a setting; did you mean \(PrinterSettings.keys.printerIP.name)?")
    }
}
