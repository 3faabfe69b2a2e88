public import Tracing

/// Everything that an ``MQTTClient`` is told before it runs.
public struct MQTTConfiguration: Sendable {
    /// Where the broker is.
    public var endpoint: MQTTEndpoint
    /// The name of this client at the broker, unique there; empty: the broker makes one up.
    public var clientID: String
    /// The user name, if the broker wants one.
    public var userName: String?
    /// The password, asked for at each connect so that it can change; not sent without a user name.
    public var password: @Sendable () -> MQTTPassword?
    /// The version spoken.
    public var protocolVersion: MQTTProtocolVersion = .v5
    /// How long silence may last before the connection is tested, 5–65,535 s; zero: never.
    public var keepAlive: Duration = .seconds(60)
    /// How long the broker keeps subscriptions and undelivered messages after the connection ends (MQTT 5).
    public var sessionExpiry: Duration = .zero
    /// Whether a connect forgets what the broker kept of an earlier session; false needs a ``clientID``.
    public var cleanStart = true
    /// What the broker publishes when this client vanishes.
    public var will: MQTTWill?
    /// Whether the will is published also when ``MQTTClient/run()`` ends on purpose.
    public var publishesWillOnShutdown = false
    /// How long name resolution, TCP and TLS may take together, for each attempt.
    public var connectTimeout: Duration = .seconds(10)
    /// How long the broker may take to answer CONNECT once it can be reached.
    public var acknowledgeTimeout: Duration = .seconds(5)
    /// Pauses between attempts.
    public var reconnect = MQTTReconnectPolicy()
    /// How many QoS 1 and 2 messages may be unacknowledged, each way, 1–65,535; of ours 32,767 at most, or as many as the
    /// broker allows.
    public var maximumInFlight = 100
    /// The largest packet that the broker may send, in bytes (MQTT 5).
    public var maximumPacketSize = 1 << 20
    /// How many messages may wait for a place in flight.
    public var outgoingQueueLimit = 1_000
    /// What happens to one message more.
    public var whenQueueFull = MQTTQueuePolicy.fail
    /// What happens to messages while there is no connection.
    public var whenOffline = MQTTOfflinePolicy.fail
    /// Where answers to requests of this client arrive: below this topic of at most 1,024 bytes, at a level that nobody
    /// can guess.
    public var responseTopic: MQTTTopic = "response"
    /// Where figures go; nil: nothing is counted.
    public var metrics: MQTTMetrics?
    /// What makes a span for each publish and lets the message carry its trace (MQTT 5); nil: nothing is traced.
    ///
    /// ``MQTTMessage/serviceContext(extractedBy:)`` is the trace of a message that arrived.
    public var tracer: (any Tracer)?
    /// How long a graceful shutdown waits for acknowledgements that are due; 1.5 s at most are sensible.
    public var shutdownGrace: Duration = .seconds(1)

    /// Makes a configuration with the defaults above.
    public init(
        endpoint: MQTTEndpoint,
        clientID: String,
        userName: String? = nil,
        password: MQTTPassword? = nil,
        will: MQTTWill? = nil
    ) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.userName = userName
        self.password = { password }
        self.will = will
    }
}
