import Foundation
import Printers
import StoredSettings

/// The list, on disk, of the retained topics that this bridge has published, and of the components of its devices.
///
/// The bridge clears a listed topic and removes a listed component that it no longer renders, also after a restart, an upgrade
/// or a change of base topic.
struct Manifest: Sendable {
    struct Entry: Sendable, Hashable {
        /// The topics that the broker may hold.
        var held: Set<String> = []
        /// The cleared topics; a broker that crashes may restore them from an older state.
        var cleared: Set<String> = []
        var changedAt: Date?
        /// The owner's device as Home Assistant may have it.
        var device = PublishedDevice()

        var topics: Set<String> { held.union(cleared) }
    }

    private static let (heldKey, clearedKey, deviceKey) = ("topics", "cleared", "device")

    private static let prefix = OwnedSettingsStore.topicsPrefix

    let store: any SettingsStore

    func load() throws -> [TopicOwner: Entry] {
        let records = try store.records(prefix: Self.prefix)
        let entries = records.map { (TopicOwner($0.key.dropFirst(Self.prefix.count)), Self.entry(in: $0.value)) }
        return Dictionary(uniqueKeysWithValues: entries)
    }

    func load(of owner: TopicOwner) throws -> Entry { Self.entry(in: try store.record("\(Self.prefix)\(owner)")) }

    func save(_ entries: [TopicOwner: Entry]) async throws {
        try await store.transact { transaction in
            for (owner, entry) in entries {
                let scope = "\(Self.prefix)\(owner)"
                if entry.topics.isEmpty {
                    try transaction.remove(scope)
                    continue
                }
                let changes = [
                    Self.heldKey: Self.list(entry.held), Self.clearedKey: Self.list(entry.cleared),
                    Self.deviceKey: entry.device.document,
                ]
                _ = try transaction.update(scope, changes, by: ConfigSource.local.rawValue, at: Date())
            }
        }
    }

    private static func list(_ topics: Set<String>) -> JSONValue? {
        topics.isEmpty ? nil : .array(topics.sorted().map(JSONValue.string))
    }

    private static func entry(in record: SettingsRecord?) -> Entry {
        func topics(_ key: String) -> Set<String> {
            Set((record?.values[key]?.arrayValue ?? []).compactMap(\.stringValue))
        }
        return Entry(
            held: topics(heldKey),
            cleared: topics(clearedKey),
            changedAt: record?.updatedAt,
            device: PublishedDevice(record?.values[deviceKey])
        )
    }
}
