/// What a record has for a setting.
struct FoundValue {
    /// Nil for the default.
    var stored: JSONValue?
    /// Whether it is stored under an earlier name, and must be moved.
    var isMoved = false
    var damage: SettingsError?
}

extension FoundValue {
    /// Whether both are read as one value; a value that moved to its setting's new name stays what it was.
    func isIdentical(to other: FoundValue) -> Bool { stored.isIdentical(to: other.stored) && damage == other.damage }

    init(_ name: String, _ previousNames: [String], in record: SettingsRecord?) {
        stored = record?.values[name]
        if record?.damaged[name] != nil {
            let message = "\(name): the stored secret is damaged; the default is in force until it is set again"
            damage = SettingsError(.corrupted, message)
        } else if stored == nil, let previous = previousNames.lazy.compactMap({ record?.values[$0] }).first {
            (stored, isMoved) = (previous, true)
        }
    }
}
