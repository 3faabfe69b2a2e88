extension SettingsMigrationStep {
    /// Gives a key another name; where both are stored, the value under the new name stays.
    public static func rename(_ key: String, to name: String) -> Self {
        about(key, "rename \(key) to \(name)") { values in
            guard let value = values.removeValue(forKey: key) else { return }
            values[name] = values[name] ?? value
        }
    }

    /// Removes a key and its value.
    public static func remove(_ key: String) -> Self {
        about(key, "remove \(key)") { $0[key] = nil }
    }

    /// Stores a value for a key that has none.
    public static func add(_ key: String, _ value: StoredValue) -> Self {
        about(key, "add \(key)") { $0[key] = $0[key] ?? value }
    }

    /// Makes another value of the one that is stored; nil removes it.
    ///
    /// - Parameters:
    ///   - key: Whose value; nothing is done where there is none.
    ///   - body: Makes the other value; what it throws is told, unless the value is secret.
    /// - Returns: The step.
    public static func transform(
        _ key: String,
        _ body: @escaping @Sendable (StoredValue) throws -> StoredValue?
    ) -> Self {
        about(key, "transform \(key)") { values in
            guard let value = values[key] else { return }
            values[key] = try body(value)
        }
    }

    /// Makes values of other keys of the one that is stored, which is removed.
    ///
    /// - Parameters:
    ///   - key: Whose value; nothing is done where there is none.
    ///   - names: The keys that it may be split into.
    ///   - body: Makes the values by key; a key other than `names` makes the step fail.
    /// - Returns: The step.
    public static func split(
        _ key: String,
        into names: [String],
        _ body: @escaping @Sendable (StoredValue) throws -> [String: StoredValue]
    ) -> Self {
        about(key, "split \(key) into \(names.joined(separator: ", "))") { values in
            guard let value = values[key] else { return }
            let parts = try body(value)
            // The stray key is not named: the program made it of the value.
            guard parts.keys.allSatisfy(names.contains) else {
                throw SettingsError(.invalidName, "a part has a key that is none of those that it is split into")
            }
            values[key] = nil
            values.merge(parts) { $1 }
        }
    }

    /// Makes one value of those of several keys, which are removed.
    ///
    /// - Parameters:
    ///   - names: The keys; nothing is done where none of them has a value.
    ///   - key: The key that gets the value.
    ///   - body: Makes the value of those that are stored; nil for none.
    /// - Returns: The step.
    public static func join(
        _ names: [String],
        into key: String,
        _ body: @escaping @Sendable ([String: StoredValue]) throws -> StoredValue?
    ) -> Self {
        about(key, readingFrom: names, "join \(names.joined(separator: ", ")) into \(key)") { values in
            let parts = values.filter { names.contains($0.key) }
            guard !parts.isEmpty else { return }
            let whole = try body(parts)
            for name in names { values[name] = nil }
            values[key] = whole ?? values[key]
        }
    }

    /// Makes a secret of a text that was stored in the clear, so that the store seals it from now on.
    public static func seal(_ key: String) -> Self {
        about(key, "seal \(key)") { values in
            if case .string(let text) = values[key] { values[key] = .secret(Secret(text)) }
        }
    }
}
