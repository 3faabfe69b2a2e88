/// One topic filter and how its messages are wanted (MQTT 5.0, section 3.8.3.1).
public struct MQTTSubscriptionOptions: Sendable, Hashable {
    /// What happens to the retained messages when the subscription is made.
    public enum RetainHandling: UInt8, Sendable, Hashable {
        /// They are sent.
        case send = 0
        /// They are not sent.
        case doNotSend = 2
    }

    /// Which topics are meant.
    public var filter: MQTTTopicFilter
    /// The best quality of service wanted.
    public var qos: MQTTQoS
    /// What happens to retained messages (MQTT 5; a 3.1.1 broker sends them always).
    public var retainHandling: RetainHandling
    /// Whether this client's own messages are left out (MQTT 5; does not hide its own retained ones).
    public var noLocal: Bool
    /// Whether ``MQTTMessage/retain`` stays as published; off, it means 'replayed' (MQTT 5).
    public var retainAsPublished: Bool

    /// Makes a subscription to one filter.
    public init(
        _ filter: MQTTTopicFilter,
        qos: MQTTQoS = .atLeastOnce,
        retainHandling: RetainHandling = .send,
        noLocal: Bool = false,
        retainAsPublished: Bool = false
    ) {
        self.filter = filter
        self.qos = qos
        self.retainHandling = retainHandling
        self.noLocal = noLocal
        self.retainAsPublished = retainAsPublished
    }
}
