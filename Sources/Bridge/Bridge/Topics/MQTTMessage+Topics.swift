import MQTT

extension MQTTMessage {
    /// A message on a topic that the bridge spells; nil where a part of its name that came from outside makes it too long.
    init?(on topic: String, payload: [UInt8], qos: MQTTQoS = .atLeastOnce, retain: Bool = false) {
        guard let topic = try? MQTTTopic(topic) else { return nil }
        self.init(topic: topic, payload: payload, qos: qos, retain: retain)
    }

    init?(on topic: String, payload: String, qos: MQTTQoS = .atLeastOnce, retain: Bool = false) {
        self.init(on: topic, payload: Array(payload.utf8), qos: qos, retain: retain)
    }
}

extension Topics {
    /// An answer on the bridge's topic for it, and on the response topic of an MQTT 5 message (MQTT 5, section 4.10).
    func answers(to message: MQTTMessage, on topic: String, payload: String) -> [MQTTMessage?] {
        let answer = MQTTMessage(on: topic, payload: payload)
        guard let response = message.properties.responseTopic, allowsResponse(on: response.name) else {
            return [answer]
        }
        let properties = MQTTProperties(correlationData: message.properties.correlationData)
        return [answer, MQTTMessage(topic: response, payload: payload, properties: properties)]
    }
}
