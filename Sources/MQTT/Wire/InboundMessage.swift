/// A message of the broker that nobody has yet, and that was not acknowledged.
struct InboundMessage: Sendable, Hashable {
    var message: MQTTMessage
    /// Its packet identifier, 0 at QoS 0.
    let id: UInt16
    /// Those of the subscriptions that it matched, as far as the broker tells.
    var subscriptions: [UInt32] = []

    /// Keeps what a property says (MQTT 5.0, section 3.3.2.3).
    mutating func take(_ identifier: UInt8, _ value: PropertyValue) {
        switch (identifier, value) {
        case (0x01, .number(let flag)): message.properties.isUTF8 = flag == 1
        case (0x02, .number(let seconds)): message.properties.messageExpiry = .seconds(seconds)
        case (0x03, .bytes(let type)): message.properties.contentType = String(decoding: type, as: UTF8.self)
        case (0x08, .bytes(let topic)):
            message.properties.responseTopic = try? MQTTTopic(String(decoding: topic, as: UTF8.self))
        case (0x09, .bytes(let data)): message.properties.correlationData = Array(data)
        case (0x0b, .number(let subscription)): subscriptions.append(UInt32(subscription))
        case (0x26, .pair(let name, let value)):
            let (name, value) = (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
            message.properties.userProperties.append(MQTTUserProperty(name, value))
        default: break
        }
    }
}
