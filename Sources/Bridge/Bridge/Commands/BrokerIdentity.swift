import Foundation
import MQTT
import Printers
import StoredSettings

/// The broker and base topic that settings were last synchronised with, and the version of MQTT.
struct BrokerIdentity: Sendable {
    private let scope: String
    private let values: [String: JSONValue]
    private let store: any SettingsStore

    /// Where bridges share printers, `slot` names the session: each session is synchronised by itself.
    init(_ broker: MQTTConfiguration, base: String, slot: PrinterSlot? = nil, store: any SettingsStore) {
        scope = slot.map { "slot/account/\($0)" } ?? "bridge/account"
        values = [
            "broker": .string("\(broker.endpoint)"), "base": .string(base),
            "protocol": .string(broker.protocolVersion.rawValue),
        ]
        self.store = store
    }

    /// Whether settings were synchronised with another broker, or under another base topic, before.
    func isOther() async throws -> Bool {
        guard let known = try await known() else { return false }
        return ["broker", "base"].contains { known[$0] != values[$0] }
    }

    /// Whether the session was one of MQTT 3.1.1 before, and so may have subscriptions by name.
    func hasLeftMQTT3() async throws -> Bool {
        try await known()?["protocol"]?.stringValue == MQTTProtocolVersion.v311.rawValue
            && values["protocol"]?.stringValue == MQTTProtocolVersion.v5.rawValue
    }

    /// Records the broker as the known one, once all that it retains was read.
    func remember() async throws {
        let changes = values.mapValues(JSONValue?.some)
        // Equal values are not written.
        try await store.transact {
            _ = try $0.update(scope, changes, by: ConfigSource.local.rawValue, at: Date())
        }
    }

    private func known() async throws -> [String: JSONValue]? {
        try await store.transact { try $0.record(scope)?.values }
    }
}
