import Logging
import MQTT

/// The leader's second connection, which stands for the whole fleet at the broker.
///
/// Its will says `offline` on `B/bridge/availability`, after a delay. The next leader connects with the same client id
/// before that is over, and so takes over the session: then the broker does not publish the will (MQTT 5.0, section
/// 3.1.3.2.2). Before MQTT 5 a will has no delay, so there is none.
actor FleetBeacon {
    /// How long after the end of a leader's lease the next leader may take.
    private static let election = Duration.seconds(10)

    private let configuration: MQTTConfiguration
    private let logger: Logger
    private var task: Task<Void, Never>?

    /// `configuration` has the client id of all leaders; the will is delayed by more than a dead leader keeps its `lease`.
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
