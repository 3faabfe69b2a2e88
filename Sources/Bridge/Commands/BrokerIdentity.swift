import Foundation
import Printers
import StoredSettings

/// The broker and base topic that settings were last synchronised with.
struct BrokerIdentity: Sendable {
    private let scope: String
    private let values: [String: SettingValue]
    private let store: any SettingsStore

    /// - Parameters:
    ///   - broker: The address of the broker.
    ///   - base: The base topic.
    ///   - slot: In a fleet, the slot whose session is meant: each is synchronised on its own.
    ///   - store: Where it lasts.
    init(broker: String, base: String, slot: FleetSlot? = nil, store: any SettingsStore) {
        scope = slot.map { "fleet/account/\($0)" } ?? "bridge/account"
        values = ["broker": .string(broker), "base": .string(base)]
        self.store = store
    }

    /// Whether settings were synchronised with another broker, or under another base topic, before.
    func isOther() async throws -> Bool {
        let known = try await store.transact { try $0.record(scope)?.values }
        return known != nil && known != values
    }

    /// What the broker retains was read: from now on it is the known one.
    func remember() async throws {
        guard try await store.transact({ try $0.record(scope)?.values }) != values else { return }
        let changes = values.mapValues(SettingValue?.some)
        try await store.transact {
            _ = try $0.update(scope, changes, by: ConfigSource.local.rawValue, at: Date())
        }
    }
}
