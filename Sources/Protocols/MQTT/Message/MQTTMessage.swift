/// A message to publish, or one that arrived.
public struct MQTTMessage: Sendable, Hashable {
    /// Where it goes, or came from.
    public var topic: MQTTTopic
    /// The content; empty and ``retain`` together clear a retained message.
    public var payload: [UInt8]
    /// How hard delivery is tried; of a message that arrived, how it arrived.
    public var qos: MQTTQoS
    /// To publish: the broker keeps it as the topic's last state.
    ///
    /// Arrived: it was replayed from there (or, with ``MQTTSubscriptionOptions/retainAsPublished``, was published
    /// so).
    public var retain: Bool
    /// What MQTT 5 carries beside the payload.
    public var properties: MQTTProperties
    /// The connection on which it arrived, as ``MQTTSession/number`` counts them; 0 for a message to publish.
    ///
    /// Not compared by `==`.
    public internal(set) var connection: UInt64 = 0

    /// Makes a message with a payload of bytes.
    public init(
        topic: MQTTTopic,
        payload: [UInt8],
        qos: MQTTQoS = .atLeastOnce,
        retain: Bool = false,
        properties: MQTTProperties = .init()
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.properties = properties
    }

    /// Makes a message with a payload of text.
    public init(
        topic: MQTTTopic,
        payload: String,
        qos: MQTTQoS = .atLeastOnce,
        retain: Bool = false,
        properties: MQTTProperties = .init()
    ) {
        self.init(topic: topic, payload: Array(payload.utf8), qos: qos, retain: retain, properties: properties)
    }

    /// The payload as text; bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: payload, as: UTF8.self) }

    /// Compares what is published.
    public static func == (left: MQTTMessage, right: MQTTMessage) -> Bool {
        left.topic == right.topic && left.payload == right.payload && left.qos == right.qos
            && left.retain == right.retain && left.properties == right.properties
    }

    /// Hashes topic and payload.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(topic)
        hasher.combine(payload)
    }
}
