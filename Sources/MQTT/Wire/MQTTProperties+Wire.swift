extension MQTTProperties {
    /// Keeps what a property of a PUBLISH says (MQTT 5.0, section 3.3.2.3).
    mutating func take(_ identifier: UInt8, _ value: PropertyValue) {
        switch (identifier, value) {
        case (0x01, .number(let flag)): isUTF8 = flag == 1
        case (0x02, .number(let seconds)): messageExpiry = .seconds(seconds)
        case (0x03, .bytes(let type)): contentType = String(decoding: type, as: UTF8.self)
        case (0x08, .bytes(let topic)): responseTopic = try? MQTTTopic(String(decoding: topic, as: UTF8.self))
        case (0x09, .bytes(let data)): correlationData = Array(data)
        case (0x26, .pair(let name, let value)):
            let (name, value) = (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
            userProperties.append(MQTTUserProperty(name, value))
        default: break
        }
    }
}
