import Foundation
import MQTT
import StoredSettings

/// The broker and base topic that settings were last synchronised with, and what that session was left with.
struct BrokerIdentity: Sendable {
    /// The key that says that the session has subscriptions to single printers.
    private static let byName = "subscribed_by_name"

    private let scope: String
    private let address: [String: SettingValue]
    private let version: MQTTProtocolVersion
    private let store: any SettingsStore

    /// - Parameters:
    ///   - broker: The address of the broker.
    ///   - base: The base topic.
    ///   - version: The protocol of the session that begins.
    ///   - slot: In a fleet, the slot whose session is meant: each is synchronised on its own.
    ///   - store: Where it lasts.
    init(
        broker: String,
        base: String,
        version: MQTTProtocolVersion = .v5,
        slot: FleetSlot? = nil,
        store: any SettingsStore
    ) {
        scope = slot.map { "fleet/account/\($0)" } ?? "bridge/account"
        address = ["broker": .string(broker), "base": .string(base)]
        self.version = version
        self.store = store
    }

    /// Whether settings were synchronised with another broker, or under another base topic, before.
    func isOther() async throws -> Bool {
        guard var known = try await known() else { return false }
        known[Self.byName] = nil
        return known != address
    }

    /// What the broker retains was read: from now on it is the known one.
    func remember() async throws {
        var values = address
        if version == .v311 { values[Self.byName] = true }
        try await change(values.mapValues(SettingValue?.some))
    }

    /// Whether the session may still have the subscriptions to single printers that MQTT 3.1.1 needs, and MQTT 5 does not.
    func isSubscribedByName() async throws -> Bool {
        guard version == .v5 else { return false }
        return try await known()?[Self.byName] == true
    }

    /// The session has no subscriptions to single printers any more.
    func rememberUnsubscribed() async throws { try await change([Self.byName: nil]) }

    private func known() async throws -> [String: SettingValue]? {
        try await store.transact { try $0.record(scope)?.values }
    }

    private func change(_ changes: [String: SettingValue?]) async throws {
        let known = try await known() ?? [:]
        guard changes.contains(where: { known[$0.key] != $0.value }) else { return }
        try await store.transact {
            _ = try $0.update(scope, changes, by: ConfigSource.local.rawValue, at: Date())
        }
    }
}
