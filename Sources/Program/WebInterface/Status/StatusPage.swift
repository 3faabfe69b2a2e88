import Bridge
import StoredSettings

/// What a monitoring program reads; a pure function of how the bridge does.
struct StatusPage: Sendable, Hashable {
    var status: Int
    var contentType: String
    var body: String

    struct State: Sendable {
        var health: BridgeHealth
        var isConnected: Bool
        var printers: [Printer]
    }

    static func metrics(_ state: State) -> StatusPage {
        let metrics = Metrics(state.health, isConnected: state.isConnected, printers: state.printers)
        return StatusPage(status: 200, contentType: Metrics.contentType, body: metrics.text)
    }

    /// The health, which fails without a broker.
    static func health(_ state: State) -> StatusPage {
        var fields = state.health.document.objectValue ?? [:]
        fields["broker"] = state.isConnected ? "connected" : "disconnected"
        return StatusPage(
            status: state.isConnected ? 200 : 503,
            contentType: "application/json",
            body: SettingValue.object(fields).json() + "\n"
        )
    }
}
