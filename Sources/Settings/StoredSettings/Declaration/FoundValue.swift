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
        guard stored == nil, let record else { return }
        // The first name decides that has a value or a damaged one.
        for candidate in [name] + previousNames {
            if record.damaged[candidate] != nil {
                let message = "\(name): the stored secret is damaged; the default is in force until it is set again"
                damage = SettingsError(.corrupted, message)
                return
            }
            if let previous = record.values[candidate] {
                (stored, isMoved) = (previous, true)
                return
            }
        }
    }
}
