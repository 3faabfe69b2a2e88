public import Platform

/// The durable values of a model as one commit left them, each by the name of its property.
///
/// ```swift
/// let committed = lamp.committed
/// print(committed.brightness, committed.revision, committed.author)
/// ```
/// It does not change, and its values were decoded when it was made. A setting with the name of a member of the snapshot, such
/// as `author`, is read by its key path: `committed[\.author]`.
@dynamicMemberLookup
public struct SettingsSnapshot<Model: SettingsModel>: SettingValues, Sendable {
    /// The declaration of each setting, under the name of its property.
    public typealias SettingKeys = Model.SettingKeys

    /// The declarations of the settings.
    public static var keys: SettingKeys { Model.keys }

    /// The settings whose values differ from those of the element before in ``SettingsModel/commits()``; else those that are
    /// stored.
    public internal(set) var changed: Set<String>
    /// What is stored, also of settings that the model does not have; nil when nothing is.
    package let record: SettingsRecord?
    /// The values in force, in the order of the schema.
    private let decoded: [any Sendable]

    /// The values of a record, as from ``FollowedScopes``; nil is a scope of which nothing is stored.
    public init(_ record: SettingsRecord?) {
        self.record = record
        let descriptors = Model.schema.descriptors
        decoded = descriptors.map { $0.read(record) }
        changed = Set(descriptors.lazy.map(\.name).filter { record?.values[$0] != nil })
    }

    /// The stored values by the names of their settings; a setting without one has its default.
    public var values: [String: SettingValue] { record?.values.filter { Model.schema[$0.key] != nil } ?? [:] }

    /// Grows by one with every commit that changed the scope; 0 when nothing is stored.
    public var revision: Int { record?.revision ?? 0 }

    /// Who committed it: the author of the transaction, as `local` for an assignment; empty when nothing is stored.
    public var author: String { record?.updatedBy ?? "" }

    /// When it was committed, in whole milliseconds; nil when nothing is stored.
    public var time: Date? { record?.updatedAt }

    /// The settings whose stored secrets are damaged.
    package var damaged: Set<String> { Set(record?.damaged.keys ?? [:].keys) }

    /// The value of a setting: as stored, or its default.
    public subscript<Value>(key: SettingsKey<Value>) -> Value {
        let schema = Model.schema
        guard let place = schema.place(of: key), let value = decoded[place] as? Value else {
            return key.read(FoundValue(key.name, key.metadata.previousKeys, in: record)).value
        }
        return value
    }

    /// The value of a setting: as stored, or its default.
    public subscript<Value>(dynamicMember path: SettingPath<Value>) -> Value { self[path] }

    /// The commit after another one; nil if no value of this model differs.
    func after(_ last: SettingsSnapshot?) -> SettingsSnapshot? {
        guard let last else { return self }
        var commit = self
        commit.changed = changed.union(last.values.keys).union(values.keys).filter {
            !(record?.values[$0]).isIdentical(to: last.record?.values[$0])
        }
        return commit.changed.isEmpty ? nil : commit
    }
}

extension SettingsSnapshot: Hashable {
    /// Whether both are of one commit.
    public static func == (one: SettingsSnapshot, other: SettingsSnapshot) -> Bool {
        one.record == other.record
    }

    /// Hashes what is stored.
    public func hash(into hasher: inout Hasher) { hasher.combine(record) }
}

extension SettingsSnapshot {
    /// Values that are not stored, as for a trial.
    package init(values: [String: SettingValue] = [:]) {
        self.init(SettingsRecord(values: values, revision: 0, updatedAt: .distantPast, updatedBy: ""))
    }

    /// The values with changes that are not stored; nil is the default.
    package func with(_ changes: [String: SettingValue?]) -> SettingsSnapshot {
        var values = record?.values ?? [:]
        for (name, value) in changes { values[name] = value }
        return SettingsSnapshot(values: values)
    }
}

extension SettingsSnapshot: CustomReflectable {
    /// The values by name, with the secrets masked.
    public var customMirror: Mirror {
        let children = values.sorted { $0.key < $1.key }.map {
            (label: Optional($0.key), value: $0.value.json() as Any)
        }
        return Mirror(self, children: children, displayStyle: .struct)
    }
}
