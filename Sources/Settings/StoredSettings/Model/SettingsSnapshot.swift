public import Platform

/// The durable values of a model as one commit left them, each by the name of its property.
///
/// ```swift
/// let committed = lamp.committed
/// print(committed.brightness, committed.revision, committed.author)
/// ```
/// It does not change, and its values were decoded when it was made. A setting with the name of a member of the snapshot, such
/// as `author`, is read by its key path: `committed[\.author]`. If a setting is called `committed`, the first element of
/// `commits()` is the snapshot.
@dynamicMemberLookup
public struct SettingsSnapshot<Model: SettingsModel>: SettingValues, Sendable {
    /// The declaration of each setting, under the name of its property.
    public typealias SettingKeys = Model.SettingKeys

    /// The declarations of the settings.
    public static var keys: SettingKeys { Model.keys }

    /// In ``SettingsModel/commits()``, the settings that were stored, changed or removed since the element before; elsewhere all
    /// that are stored.
    public var changed: Set<String> { changes ?? decoded.storedNames }

    /// The stored record, with values of settings that the model does not have; nil for an empty scope.
    package var record: SettingsRecord? { decoded.record }
    private let decoded: DecodedRecord
    /// Nil for all that are stored.
    private var changes: Set<String>?

    /// The values of a record, as from ``FollowedScopes``; nil is a scope of which nothing is stored.
    public init(_ record: SettingsRecord?) { self.init(record, after: nil) }

    /// As ``init(_:)``, and takes what did not change from an earlier snapshot: only the rest is decoded.
    package init(_ record: SettingsRecord?, after earlier: SettingsSnapshot?) {
        decoded = DecodedRecord(record, by: Model.schema, after: earlier?.decoded)
    }

    /// The stored values by the names of their settings; a setting without one has its default.
    public var values: [String: JSONValue] {
        (record?.values ?? [:]).reduce(into: [:]) { values, stored in
            guard let descriptor = Model.schema[stored.key] else { return }
            // A value that was stored before its setting was a secret is in clear in the store.
            values[stored.key] = descriptor.isSecret ? stored.value.sealed : stored.value
        }
    }

    /// The value of every setting: as stored where that fits, else the default.
    package var effective: [String: JSONValue] { decoded.encoded }

    /// Grows by one with every commit that changed the scope; 0 when nothing is stored.
    public var revision: Int { record?.revision ?? 0 }

    /// Who committed it: the author of the transaction, as `local` for an assignment; empty when nothing is stored.
    public var author: String { record?.updatedBy ?? "" }

    /// When it was committed, in whole milliseconds; nil when nothing is stored.
    public var time: Date? { record?.updatedAt }

    /// The settings whose stored secrets are damaged.
    package var damaged: Set<String> { Set(record?.damaged.keys ?? [:].keys) }

    /// The value of a setting: as stored, or its default.
    public subscript<Value>(key: SettingsKey<Value>) -> Value { decoded[key] }

    /// The value of a setting: as stored, or its default.
    public subscript<Value>(dynamicMember path: SettingPath<Value>) -> Value { self[path] }

    /// Unavailable: gives the message of the compiler for a name that is no setting.
    @available(
        *,
        unavailable,
        message: """
            no setting that can be set here has this name; write what follows from settings in an extension of SettingValues, \
            and for a setting with 'private(set)' in the file of its class
            """
    )
    @_disfavoredOverload
    public subscript<Value>(dynamicMember path: KeyPath<Model, Value>) -> Value {
        preconditionFailure("it is unavailable")
    }

    /// The commit after another one; nil if no value of this model differs.
    func after(_ last: SettingsSnapshot?) -> SettingsSnapshot? {
        guard let last else { return self }
        let changes = decoded.names(differingFrom: last.decoded)
        guard !changes.isEmpty else { return nil }
        var commit = self
        commit.changes = changes
        return commit
    }
}

extension SettingsSnapshot {
    /// Values that are not stored, as for a trial.
    package init(values: [String: JSONValue] = [:]) { self.init(.trial(values)) }

    /// The values with changes that are not stored; nil is the default.
    package func with(_ changes: [String: JSONValue?]) -> SettingsSnapshot {
        var values = record?.values ?? [:]
        for (name, value) in changes { values[name] = value }
        return SettingsSnapshot(.trial(values), after: self)
    }
}

extension SettingsRecord {
    fileprivate static func trial(_ values: [String: JSONValue]) -> SettingsRecord {
        SettingsRecord(values: values, revision: 0, updatedAt: .distantPast, updatedBy: "")
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
