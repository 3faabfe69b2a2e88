import Settings

/// What is answered over HTTP: a pure function of the path and of how the bridge does.
struct StatusPage: Sendable, Hashable {
    /// The status code.
    var status: Int
    /// The media type.
    var contentType: String
    /// The body.
    var body: String

    /// How the bridge does.
    struct State: Sendable {
        var health: BridgeHealth
        var isConnected: Bool
        var printers: [Printer]
    }

    /// The page for a path; `state` is asked for only where it is shown.
    static func page(_ path: String, _ state: () async -> State) async -> StatusPage {
        switch path.prefix(while: { $0 != "?" }) {
        case "/metrics":
            let state = await state()
            let metrics = Metrics(state.health, isConnected: state.isConnected, printers: state.printers)
            return StatusPage(status: 200, contentType: Metrics.contentType, body: metrics.text)
        case "/health":
            let state = await state()
            var fields = state.health.document.objectValue ?? [:]
            fields["broker"] = state.isConnected ? "connected" : "disconnected"
            return StatusPage(
                status: state.isConnected ? 200 : 503,
                contentType: "application/json",
                body: StoredValue.object(fields).json() + "\n"
            )
        default:
            return StatusPage(status: 404, contentType: "text/plain", body: "There are /metrics and /health.\n")
        }
    }
}
