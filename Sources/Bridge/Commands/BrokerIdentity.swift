import Foundation
import StoredSettings

/// The broker and base topic that settings were last synchronised with.
struct BrokerIdentity: Sendable {
    private static let scope = "bridge/account"

    private let values: [String: SettingValue]
    private let store: any SettingsStore

    init(broker: String, base: String, store: any SettingsStore) {
        values = ["broker": .string(broker), "base": .string(base)]
        self.store = store
    }

    /// Whether settings were synchronised with another broker, or under another base topic, before.
    func isOther() async throws -> Bool {
        let known = try await store.transact { try $0.record(Self.scope)?.values }
        return known != nil && known != values
    }

    /// The broker has accepted the bridge: from now on it is the known one.
    func remember() async throws {
        guard try await store.transact({ try $0.record(Self.scope)?.values }) != values else { return }
        let changes = values.mapValues(SettingValue?.some)
        try await store.transact {
            _ = try $0.update(Self.scope, changes, by: ConfigSource.local.rawValue, at: Date())
        }
    }
}
