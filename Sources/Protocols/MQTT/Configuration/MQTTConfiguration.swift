package import Secrets

/// Everything that an ``MQTTClient`` is told before it runs.
public struct MQTTConfiguration: Sendable {
    /// Where the broker is.
    public var endpoint: MQTTEndpoint
    /// The name of this client at the broker, unique there; empty: the broker makes one up.
    public var clientID: String
    /// The user name, if the broker wants one.
    public var userName: String?
    /// The password, asked for at each connect so that it can change; not sent without a user name.
    public var password: @Sendable () -> Secret<String>?
    /// The version spoken.
    public var protocolVersion: MQTTProtocolVersion = .v5
    /// How long silence may last before the connection is tested, 5–65,535 s; zero: never.
    public var keepAlive: Duration = .seconds(60)
    /// How long the broker keeps subscriptions and undelivered messages after the connection ends, in whole seconds
    /// (MQTT 5).
    public var sessionExpiry: Duration = .zero
    /// Whether a connect forgets what the broker kept of an earlier session; false needs a ``clientID``.
    public var cleanStart = true
    /// Whether the client resumes a session that the broker kept.
    ///
    /// If not, a connection that would resume one is closed at once (``MQTTDisconnectReason/Code/sessionExists``):
    /// nothing is acknowledged, and the session stays. A new session ends with the connection (MQTT 5). Use false, with
    /// ``cleanStart`` off, for a client that must not touch the session of another client.
    public var resumesSession = true
    /// What the broker publishes when this client vanishes.
    ///
    /// After a loss the client tries to connect at least once a second for as long as the will is delayed.
    public var will: MQTTWill?
    /// How long the name's look-up and TCP may take together, for each attempt.
    public var connectTimeout: Duration = .seconds(10)
    /// How long the TLS handshake and the broker's CONNACK may take together.
    public var acknowledgeTimeout: Duration = .seconds(10)
    /// How long the broker may take to acknowledge a message; then the connection is given up.
    public var publishTimeout: Duration = .seconds(30)
    /// How long the reader of a ``MQTTBuffer/acknowledgedByReader`` subscription may take for its messages.
    ///
    /// Then the connection is given up, and the broker delivers the messages again. Never longer than ``keepAlive``.
    public var readerTimeout: Duration = .seconds(30)
    /// Whether ``MQTTClient/run()`` connects again after a failure; if not, it ends.
    public var reconnects = true
    /// The longest pause between two attempts to connect; up to a minute once another client has taken the session over.
    public var reconnectLimit: Duration = .seconds(12)
    /// How many messages may be unacknowledged, each way, 1–65,535; the broker may allow fewer of ours.
    ///
    /// A broker may send more: mosquitto 2.0 does when it resumes a session, and MQTT 3.1.1 has no such limit. The client
    /// hands over no more than this, and acknowledges them, before it reads on.
    public var maximumInFlight = 100
    /// The largest packet that the broker may send, in bytes; told to a broker of MQTT 5, which has to obey.
    public var maximumPacketSize = 1 << 20
    /// Whether a packet of more than twice ``maximumPacketSize`` ends a connection with TLS.
    ///
    /// For brokers that speak MQTT 3.1.1 and are not trusted.
    package var limitsPacketSize = false
    /// How many messages may wait for a place in flight; one more throws ``MQTTError/Code/queueFull``.
    public var outgoingQueueLimit = 1_000
    /// How long a graceful shutdown waits for acknowledgements that are due, at most 1.5 s.
    public var shutdownGrace: Duration = .seconds(1)

    /// Makes a configuration with the defaults above.
    public init(
        endpoint: MQTTEndpoint,
        clientID: String,
        userName: String? = nil,
        password: Secret<String>? = nil,
        will: MQTTWill? = nil
    ) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.userName = userName
        self.password = { password }
        self.will = will
    }
}
