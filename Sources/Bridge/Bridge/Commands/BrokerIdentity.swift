import Foundation
import MQTT
import Printers
import StoredSettings

/// The broker and base topic that settings were last synchronised with, and the subscriptions by name that its session may have.
struct BrokerIdentity: Sendable {
    /// The key of the printers to whose commands the session has subscribed by name.
    private static let byName = "subscribed_by_name"

    private let scope: String
    private let address: [String: SettingValue]
    private let version: MQTTProtocolVersion
    private let store: any SettingsStore

    /// In a fleet, `slot` is the slot whose session is meant: each is synchronised on its own.
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
    ///
    /// `names` are the printers whose commands the session has subscribed to by name, as MQTT 3.1.1 needs it.
    func remember(subscribedTo names: [String] = []) async throws {
        var values = address
        if version == .v311 {
            values[Self.byName] = .array(Set(try await knownNames() + names).sorted().map(SettingValue.string))
        }
        try await change(values.mapValues(SettingValue?.some))
    }

    /// The printers to whose commands the session may still have subscriptions by name, from MQTT 3.1.1.
    ///
    /// Also those that were removed or renamed meanwhile. Empty while MQTT 3.1.1 is spoken.
    func leftNames() async throws -> [String] { version == .v5 ? try await knownNames() : [] }

    func rememberUnsubscribed() async throws { try await change([Self.byName: nil]) }

    private func knownNames() async throws -> [String] {
        try await known()?[Self.byName]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    private func known() async throws -> [String: SettingValue]? {
        try await store.transact { try $0.record(scope)?.values }
    }

    private func change(_ changes: [String: SettingValue?]) async throws {
        // Equal values are not written.
        try await store.transact {
            _ = try $0.update(scope, changes, by: ConfigSource.local.rawValue, at: Date())
        }
    }
}
