import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is durable of a model, and which of it changed.
public struct SettingsCommit: Sendable, Hashable {
    /// The durable values by the names of their settings; a setting without one has its default.
    public let values: [String: SettingValue]
    /// The settings whose values differ from the commit before; those that have a value, at first.
    public let changed: Set<String>
    /// The revision of the record in the store; 0 when nothing is stored.
    public let revision: Int
    /// When the record was changed; nil when nothing is stored.
    public let date: Date?
    /// Who changed the record.
    public let author: String
}

/// The commits of a model, whoever made them: the current state first, then the newest one whenever a value differs.
///
/// A slow reader gets one element for several commits, whose ``SettingsCommit/changed`` names all that differs. It ends with
/// its model, or when the task is cancelled.
public struct SettingsCommits: AsyncSequence, Sendable {
    private let records: SettingChanges<SettingsRecord?>
    private let names: @Sendable (SettingsRecord?) -> [String: SettingValue]

    init(_ core: SettingsCore) {
        records = SettingChanges(core: core, areEqual: ==) { core in
            core.state.withLock { ($0.record, $0.commits.version) }
        } channel: { state, use in
            use(&state.commits)
        }
        names = { [prefix = core.prefix, schema = core.schema] record in
            guard let values = record?.values else { return [:] }
            let found = schema.descriptors.compactMap { descriptor in
                values[prefix + descriptor.name].map { (descriptor.name, $0) }
            }
            return Dictionary(uniqueKeysWithValues: found)
        }
    }

    /// Begins with the current state.
    public func makeAsyncIterator() -> Iterator { Iterator(records: records.makeAsyncIterator(), names: names) }

    /// The position of one reader.
    public struct Iterator: AsyncIteratorProtocol {
        private var records: SettingChanges<SettingsRecord?>.Iterator
        private let names: @Sendable (SettingsRecord?) -> [String: SettingValue]
        private var last: [String: SettingValue]?

        fileprivate init(
            records: SettingChanges<SettingsRecord?>.Iterator,
            names: @escaping @Sendable (SettingsRecord?) -> [String: SettingValue]
        ) {
            self.records = records
            self.names = names
        }

        /// The newest commit that changed a value of the model; nil at the end.
        public mutating func next() async -> SettingsCommit? {
            while let record = await records.next() {
                let values = names(record)
                let before = last ?? [:]
                let all = Set(values.keys).union(before.keys)
                let changed = all.filter { !values[$0].isIdentical(to: before[$0]) }
                // Another model of the scope may have changed.
                if changed.isEmpty, last != nil { continue }
                last = values
                return SettingsCommit(
                    values: values,
                    changed: changed,
                    revision: record?.revision ?? 0,
                    date: record?.updatedAt,
                    author: record?.updatedBy ?? ""
                )
            }
            return nil
        }
    }
}
