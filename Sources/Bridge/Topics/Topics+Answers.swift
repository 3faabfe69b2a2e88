import MQTT

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
