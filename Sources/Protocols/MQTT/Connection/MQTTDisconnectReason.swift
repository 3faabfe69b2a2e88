/// Why a connection ended, or did not come about.
public struct MQTTDisconnectReason: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of end.
    public enum Code: String, Sendable, Hashable {
        /// The host name could not be resolved.
        case nameNotResolved = "name_not_resolved"
        /// Nothing answered at the address, or the connection was refused.
        case unreachable
        /// The connection, the TLS handshake or the broker's CONNACK took too long.
        case timeout
        /// TLS failed: not a TLS server, an untrusted certificate, an alert.
        case tlsFailed = "tls_failed"
        /// The broker answered CONNECT with a refusal.
        case refused
        /// The broker closed the connection instead of answering CONNECT.
        case closedOnConnect = "closed_on_connect"
        /// The broker has a session for this client, and the client must not take it up.
        case sessionExists = "session_exists"
        /// The broker sent DISCONNECT.
        case closedByBroker = "closed_by_broker"
        /// The connection broke.
        case connectionLost = "connection_lost"
        /// The broker stayed silent for longer than keep-alive allows.
        case keepAliveTimeout = "keep_alive_timeout"
        /// The broker did not acknowledge a message in time.
        case acknowledgeTimeout = "acknowledge_timeout"
        /// A subscription's reader did not handle its messages in time.
        case readerTimeout = "reader_timeout"
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
    /// Why TLS failed; nil if it did not fail, or if the broker closed the connection without a reason.
    public package(set) var tlsFailure: TLSFailure?
    /// Whether the handshake of TLS was completed; false without TLS.
    public package(set) var hadTLS = false

    package init(_ code: Code, _ message: String, reason: MQTTReasonCode? = nil) {
        self.code = code
        self.message = message
        self.reason = reason
    }

    /// ``MQTTClient/run()`` was told to end.
    static let requested = Self(.requested, "The client was told to end.")

    /// Code and sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
