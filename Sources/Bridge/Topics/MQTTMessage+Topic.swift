import MQTT

extension MQTTMessage {
    /// A message on a topic that the bridge spells; nil where a part of its name that came from outside makes it too long.
    init?(on topic: String, payload: [UInt8], qos: MQTTQoS = .atLeastOnce, retain: Bool = false) {
        guard let topic = try? MQTTTopic(topic) else { return nil }
        self.init(topic: topic, payload: payload, qos: qos, retain: retain)
    }

    /// The same with text.
    init?(on topic: String, payload: String, qos: MQTTQoS = .atLeastOnce, retain: Bool = false) {
        self.init(on: topic, payload: Array(payload.utf8), qos: qos, retain: retain)
    }
}
