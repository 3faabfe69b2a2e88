/// The MQTT 5 properties of a message (section 3.3.2.3); not sent to a 3.1.1 broker.
public struct MQTTProperties: Sendable, Hashable {
    /// After how long the broker drops the message, in whole seconds (rounded up); nil: never.
    public var messageExpiry: Duration?
    /// Where an answer is expected; of a message that arrived, nil also if what it says is not a topic.
    public var responseTopic: MQTTTopic?
    /// What an answer must carry, so that the requester knows what it answers.
    public var correlationData: [UInt8]?
    /// Whether the sender says that the payload is UTF-8 text.
    public var isUTF8: Bool

    /// Makes a set of properties; by default none.
    public init(
        messageExpiry: Duration? = nil,
        responseTopic: MQTTTopic? = nil,
        correlationData: [UInt8]? = nil,
        isUTF8: Bool = false
    ) {
        self.messageExpiry = messageExpiry
        self.responseTopic = responseTopic
        self.correlationData = correlationData
        self.isUTF8 = isUTF8
    }
}
