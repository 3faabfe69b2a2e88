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
    public var properties: MQTTProperties {
        get { extras?.properties ?? MQTTProperties() }
        _modify {
            var properties = properties
            // Given up meanwhile: what is appended to would be copied.
            extras = nil
            defer { extras = properties.isEmpty ? nil : Extras(properties) }
            yield &properties
        }
    }

    /// Most messages carry nothing, and many copies of them are made.
    private var extras: Extras?

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
        extras = properties.isEmpty ? nil : Extras(properties)
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
}

private final class Extras: Sendable, Hashable {
    let properties: MQTTProperties

    init(_ properties: MQTTProperties) { self.properties = properties }

    static func == (left: Extras, right: Extras) -> Bool { left.properties == right.properties }

    func hash(into hasher: inout Hasher) { hasher.combine(properties) }
}

extension MQTTProperties {
    fileprivate var isEmpty: Bool {
        messageExpiry == nil && responseTopic == nil && correlationData == nil && contentType == nil && !isUTF8
            && userProperties.isEmpty
    }
}
