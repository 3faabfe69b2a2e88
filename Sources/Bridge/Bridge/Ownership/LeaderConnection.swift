import Logging
import MQTT

/// The leader's second connection, which stands for all bridges that share the printers.
///
/// Its will says `offline` on `B/bridge/availability`, after a delay. The next leader connects with the same client id
/// before the delay is over, and so takes over the session: then the broker does not publish the will (MQTT 5.0,
/// section 3.1.3.2.2). Before MQTT 5 a will has no delay, so this connection has no will.
actor LeaderConnection {
    /// The longest time from the end of a leader's lease to the next leader's connection.
    private static let election = Duration.seconds(10)

    private let configuration: MQTTConfiguration
    private let logger: Logger
    private var task: Task<Void, Never>?

    /// `configuration` has the client id of all leaders; its will is published only after the `lease` of a dead leader has
    /// ended, and no other leader has connected.
    init(_ context: BridgeContext, _ configuration: MQTTConfiguration, lease: Duration) {
        var configuration = configuration
        let delay = lease + Self.election
        let offline = MQTTMessage(on: context.topics.bridgeAvailability, payload: "offline", retain: true)
        configuration.will =
            configuration.protocolVersion == .v5 ? offline.map { MQTTWill(message: $0, delay: delay) } : nil
        // A clean start would end the session of the last leader, and so publish its will.
        configuration.cleanStart = false
        configuration.sessionExpiry = delay * 2
        self.configuration = configuration
        logger = context.logger
    }

    func connect() {
        guard task == nil else { return }
        task = Task { [configuration, logger] in
            try? await MQTTClient(configuration: configuration, logger: logger).run()
        }
    }

    /// Drops the connection; the broker then publishes the will, unless another leader takes the session over.
    func disconnect() async {
        task?.cancel()
        await task?.value
        task = nil
    }
}
