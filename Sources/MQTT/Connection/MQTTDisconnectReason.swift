/// Why a connection ended, or did not come about.
public struct MQTTDisconnectReason: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of end.
    public enum Code: String, Sendable, Hashable {
        /// The host name could not be resolved.
        case nameNotResolved = "name_not_resolved"
        /// Nothing answered at the address, or it said no.
        case unreachable
        /// The connection or the broker's CONNACK took too long.
        case timeout
        /// TLS failed: not a TLS server, an untrusted certificate, an alert.
        case tlsFailed = "tls_failed"
        /// The broker answered CONNECT with a refusal.
        case refused
        /// The broker sent DISCONNECT.
        case closedByBroker = "closed_by_broker"
        /// The connection broke.
        case connectionLost = "connection_lost"
        /// The broker stayed silent for longer than keep-alive allows.
        case keepAliveTimeout = "keep_alive_timeout"
        /// The broker sent what MQTT does not allow.
        case protocolError = "protocol_error"
        /// ``MQTTClient/run()`` was told to end.
        case requested
        /// A setting of this client is at fault; see the message.
        case invalidConfiguration = "invalid_configuration"
    }

    /// The kind of end.
    public var code: Code
    /// One sentence for a person; holds no secret.
    public var message: String
    /// The broker's reason code, where it gave one.
    public var reason: MQTTReasonCode?
    /// Whether it looks as if another client with the same identifier keeps pushing this one out.
    public var isTakeoverSuspected: Bool

    init(_ code: Code, _ message: String, reason: MQTTReasonCode? = nil, isTakeoverSuspected: Bool = false) {
        self.code = code
        self.message = message
        self.reason = reason
        self.isTakeoverSuspected = isTakeoverSuspected
    }

    /// Whether the broker was there and refused this client.
    public var isRefusal: Bool { code == .refused }

    /// Code and sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
