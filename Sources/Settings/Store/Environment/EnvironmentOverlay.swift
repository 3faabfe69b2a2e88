/// The values that the environment gives, by scope and key; made once.
struct EnvironmentOverlay: Sendable {
    /// A value, and what has to be changed to change it.
    struct Entry: Sendable, Equatable {
        let value: StoredValue
        let source: String
    }

    /// Never an empty entry.
    private(set) var scopes: [String: [String: Entry]] = [:]
    /// Variables that begin with the prefix and stand for no setting.
    private(set) var unknownVariables: [String] = []

    /// Looks for every setting of every scope.
    ///
    /// - Throws: ``SettingsError`` for a value that does not fit its setting, or a name that two settings share.
    init(prefix: String, settings: [String: SettingsSchema], lookup: EnvironmentLookup) throws(SettingsError) {
        var owners: [String: String] = [:]
        for (scope, schema) in settings.sorted(by: { $0.key < $1.key }) {
            for descriptor in schema.descriptors {
                let name = VariableName(prefix: prefix, scope: scope, key: descriptor.name)
                let names = descriptor.isSecret ? [name.description, name.file] : [name.description]
                for name in names {
                    if let other = owners.updateValue("\(scope) \(descriptor.name)", forKey: name) {
                        throw SettingsError(
                            .invalidName,
                            "the environment variable \(name) would stand for \(other) and for \(scope) \(descriptor.name)"
                        )
                    }
                }
                let found = descriptor.isSecret ? try lookup.secret(name) : lookup.text(name)
                guard let found else { continue }
                scopes[scope, default: [:]][descriptor.name] = try Self.entry(descriptor, found)
            }
        }
        guard !prefix.isEmpty else { return }
        let start = VariableName(prefix).description + "_"
        unknownVariables = lookup.variables.keys.filter { $0.hasPrefix(start) && owners[$0] == nil }.sorted()
    }

    private static func entry(
        _ descriptor: SettingDescriptor,
        _ found: EnvironmentLookup.Found
    ) throws(SettingsError) -> Entry {
        switch descriptor.validate(text: found.text) {
        case .success(let value): return Entry(value: value, source: found.source)
        case .failure(let fault):
            throw SettingsError(.invalidValue, "\(found.source) is not accepted: \(descriptor.name) \(fault.message)")
        }
    }

    /// The record as it is seen: with the values of the environment, also where nothing is stored.
    func seen(_ record: SettingsRecord?, in scope: String, removedRevision: @autoclosure () throws -> Int) rethrows
        -> SettingsRecord?
    {
        guard let entries = scopes[scope] else { return record }
        var seen =
            try record
            ?? SettingsRecord(
                values: [:],
                revision: removedRevision(),
                updatedAt: .init(storedMilliseconds: 0),
                updatedBy: "environment"
            )
        for (key, entry) in entries { seen.values[key] = entry.value }
        return seen
    }

    /// What is to be written below; refuses to change what the environment gives.
    ///
    /// - Parameters:
    ///   - writes: What a transaction did that saw the values of the environment.
    ///   - below: What is stored for a scope.
    /// - Returns: The same without the values of the environment.
    /// - Throws: ``SettingsError/Code/readOnly``, with the variable that has to be changed.
    func stored(
        _ writes: [String: SettingsWrite],
        below: (String) throws -> SettingsRecord?
    ) throws -> [String: SettingsWrite] {
        var stored = writes
        for (scope, entries) in scopes {
            switch writes[scope] {
            case nil: break
            case .remove:
                let names = entries.sorted { $0.key < $1.key }
                if let (key, entry) = names.first { throw refusal(scope, key, entry) }
            case .put(var record, let changed):
                for (key, entry) in entries where changed.keys.contains(key) { throw refusal(scope, key, entry) }
                let below = try below(scope)?.values ?? [:]
                for key in entries.keys { record.values[key] = below[key] }
                stored[scope] = .put(record, changed: changed)
            }
        }
        return stored
    }

    private func refusal(_ scope: String, _ key: String, _ entry: Entry) -> SettingsError {
        SettingsError(.readOnly, "\(scope) \(key) is given by \(entry.source): change it there, or remove it")
    }
}
