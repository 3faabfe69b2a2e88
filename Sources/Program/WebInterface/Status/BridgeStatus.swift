import Bridge
import StoredSettings

/// How the bridge does, for monitoring programs; pure.
struct BridgeStatus: Sendable {
    var health: BridgeHealth
    var isConnected: Bool
    var printers: [Printer]

    /// The status with which `/health` answers: it fails without a broker.
    var code: Int { isConnected ? 200 : 503 }

    var document: SettingValue {
        var fields = health.document.objectValue ?? [:]
        fields["broker"] = isConnected ? "connected" : "disconnected"
        return .object(fields)
    }
}
