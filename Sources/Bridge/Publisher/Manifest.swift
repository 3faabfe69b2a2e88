import Foundation
import StoredSettings

/// What this bridge left with others, on disk: the retained topics that it clears when it no longer renders them, also
/// after a restart, an upgrade or a change of base topic.
struct Manifest: Sendable {
    private let store: any SettingsStore
    private let prefix: String

    init(store: any SettingsStore, prefix: String = StoreScope.topics) {
        self.store = store
        self.prefix = prefix
    }

    func load() throws -> [String: Set<String>] {
        let records = try store.records(prefix: prefix)
        return Dictionary(
            uniqueKeysWithValues: records.map {
                (String($0.key.dropFirst(prefix.count)), Set($0.value.values.keys))
            }
        )
    }

    /// The topics of one owner.
    func load(of owner: String) throws -> Set<String> {
        Set(try store.record(prefix + owner)?.values.keys.map(\.self) ?? [])
    }

    /// Makes the topics on disk those given, for each owner named.
    func save(_ topics: [String: Set<String>]) async throws {
        try await store.transact { transaction in
            for (owner, topics) in topics {
                let scope = prefix + owner
                if topics.isEmpty {
                    try transaction.remove(scope)
                    continue
                }
                let known = Set(try transaction.record(scope)?.values.keys.map(\.self) ?? [])
                var changes: [String: SettingValue?] = [:]
                for topic in topics.subtracting(known) { changes[topic] = .bool(true) }
                for topic in known.subtracting(topics) { changes.updateValue(nil, forKey: topic) }
                let author = ConfigSource.local.rawValue
                if !changes.isEmpty { _ = try transaction.update(scope, changes, by: author, at: Date()) }
            }
        }
    }
}
