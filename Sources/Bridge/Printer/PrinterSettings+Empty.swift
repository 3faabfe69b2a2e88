import StoredSettings

extension PrinterSettings {
    /// Texts that are stored as an empty one while they are not set, and may not be empty when they are.
    static let emptyWhileUnset = schema.descriptors.filter {
        $0.defaultValue == "" && $0.constraints.length.map { $0.lowerBound > 0 } == true
    }

    /// The empty values of a patch that are not allowed; null sets the default again.
    static func emptied(in patch: [String: SettingValue]) -> [ValidationError] {
        emptyWhileUnset.filter { patch[$0.name] == "" }.map { setting in
            ValidationError(
                path: setting.name,
                code: .tooShort,
                message: "must not be empty; null is back to the default"
            )
        }
    }
}
