/// The answer to a request, without what the client adds: the topic and the correlation data.
public struct MQTTReply: Sendable, Hashable {
    /// The content.
    public var payload: [UInt8]
    /// What MQTT 5 carries beside the payload.
    public var properties: MQTTProperties

    /// Makes an answer of bytes.
    public init(_ payload: [UInt8], properties: MQTTProperties = .init()) {
        self.payload = payload
        self.properties = properties
    }

    /// Makes an answer of text.
    public init(_ payload: String, properties: MQTTProperties = .init()) {
        self.init(Array(payload.utf8), properties: properties)
    }

    func message(to request: MQTTMessage, on topic: MQTTTopic) -> MQTTMessage {
        var message = MQTTMessage(topic: topic, payload: payload, qos: request.qos, properties: properties)
        message.properties.correlationData = request.properties.correlationData
        return message
    }
}
