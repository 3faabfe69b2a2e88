/// What is durable of a model after a commit, and what of it changed.
public struct SettingsCommit: Sendable, Hashable {
    /// The durable values by the names of their settings; a setting without one has its default.
    public let values: [String: SettingValue]
    /// The settings whose values differ from those of the element before; of the first element, those that have a value.
    public internal(set) var changed: Set<String>
    /// The revision of the record in the store; 0 when nothing is stored.
    public let revision: Int
    /// Who changed the record.
    public let author: String

    init(_ record: SettingsRecord?, _ schema: SettingsSchema) {
        var values: [String: SettingValue] = [:]
        for descriptor in schema.descriptors { values[descriptor.name] = record?.values[descriptor.name] }
        self.values = values
        changed = Set(values.keys)
        revision = record?.revision ?? 0
        author = record?.updatedBy ?? ""
    }

    /// The commit after another one; nil if no value of this model differs.
    func after(_ last: SettingsCommit?) -> SettingsCommit? {
        guard let last else { return self }
        var commit = self
        commit.changed = Set(values.keys).union(last.values.keys).filter {
            !values[$0].isIdentical(to: last.values[$0])
        }
        return commit.changed.isEmpty ? nil : commit
    }
}
