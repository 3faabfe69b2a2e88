/// Why something asked of an ``MQTTClient`` was not done.
public struct MQTTError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Sendable, Hashable {
        /// The broker said no; ``MQTTError/reason`` says why.
        case refused
        /// There is no connection at the moment; nothing was sent.
        case notConnected = "not_connected"
        /// The connection went away before the broker answered; it may or may not have taken the message.
        case connectionLost = "connection_lost"
        /// The message is larger than the broker accepts; nothing was sent.
        case tooLarge = "too_large"
        /// The topic is empty, too long, or has a wildcard or a NUL in it; or a property of the message cannot be sent.
        case invalidTopic = "invalid_topic"
        /// The topic filter is malformed, or does not go with its options; nothing was sent.
        case invalidFilter = "invalid_filter"
        /// Too many messages wait already; nothing was sent.
        case queueFull = "queue_full"
        /// The broker does not keep retained messages; nothing was sent.
        case retainUnavailable = "retain_unavailable"
        /// The broker does not offer this quality of service; nothing was sent.
        case qosUnavailable = "qos_unavailable"
        /// The filter is larger than the broker accepts; nothing was sent.
        case subscriptionUnavailable = "subscription_unavailable"
        /// A subscription that acknowledges its messages itself ended before they were handled, and with it the run.
        case unhandledMessages = "unhandled_messages"
        /// The client's ``MQTTClient/run()`` has ended.
        case shutDown = "shut_down"
        /// A setting makes no sense; the message says which.
        case invalidConfiguration = "invalid_configuration"
        /// libmosquitto or the system failed in a way that has no better name.
        case library
    }

    /// The kind of failure.
    public let code: Code
    /// One sentence for a person; holds no secret.
    public let message: String
    /// The broker's answer, where there was one.
    public let reason: MQTTReasonCode?

    package init(_ code: Code, _ message: String, reason: MQTTReasonCode? = nil) {
        self.code = code
        self.message = message
        self.reason = reason
    }

    /// Code and sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
