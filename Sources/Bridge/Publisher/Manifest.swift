import Foundation
import Printers
import StoredSettings

/// What this bridge left with others, on disk: the retained topics that it clears when it no longer renders them, also
/// after a restart, an upgrade or a change of base topic.
struct Manifest: Sendable {
    /// The value that holds an owner's topics, one on each line.
    private static let key = "topics"

    private let store: any SettingsStore
    private let prefix: String

    init(store: any SettingsStore, prefix: String = StoreScope.topics) {
        self.store = store
        self.prefix = prefix
    }

    func load() throws -> [String: Set<String>] {
        let records = try store.records(prefix: prefix)
        return Dictionary(
            uniqueKeysWithValues: records.map { (String($0.key.dropFirst(prefix.count)), Self.topics(of: $0.value)) }
        )
    }

    /// The topics of one owner.
    func load(of owner: String) throws -> Set<String> { Self.topics(of: try store.record(prefix + owner)) }

    /// Makes the topics on disk those given, for each owner named.
    func save(_ topics: [String: Set<String>]) async throws {
        try await store.transact { transaction in
            for (owner, topics) in topics {
                let scope = prefix + owner
                if topics.isEmpty {
                    try transaction.remove(scope)
                    continue
                }
                var changes: [String: SettingValue?] = [:]
                for key in Self.earlierTopics(in: try transaction.record(scope)) {
                    changes.updateValue(nil, forKey: key)
                }
                changes[Self.key] = .string(topics.sorted().joined(separator: "\n"))
                _ = try transaction.update(scope, changes, by: ConfigSource.local.rawValue, at: Date())
            }
        }
    }

    private static func topics(of record: SettingsRecord?) -> Set<String> {
        let lines = record?.values[key]?.stringValue?.split(separator: "\n").map(String.init) ?? []
        return Set(lines + earlierTopics(in: record))
    }

    /// The topics in the format of earlier versions: one key for each topic.
    private static func earlierTopics(in record: SettingsRecord?) -> [String] {
        record?.values.keys.filter { $0 != key } ?? []
    }
}
