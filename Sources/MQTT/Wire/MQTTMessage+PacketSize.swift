extension MQTTMessage {
    /// How many bytes its PUBLISH has (MQTT 5.0, section 3.3).
    ///
    /// libmosquitto 2.0.11 counts one too few, and then ends the process over the message that has one too many.
    var packetSize: Int {
        let identifier = qos > .atMostOnce ? 2 : 0
        let content = 2 + topic.name.utf8.count + identifier + Self.withLength(properties.size) + payload.count
        return 1 + Self.withLength(content)
    }

    /// A size, with the variable byte integer (section 1.5.5) that stands before it.
    private static func withLength(_ size: Int) -> Int {
        switch size {
        case ..<128: size + 1
        case ..<16_384: size + 2
        case ..<2_097_152: size + 3
        default: size + 4
        }
    }
}

extension MQTTProperties {
    fileprivate var size: Int {
        let texts = [responseTopic?.name.utf8.count, correlationData?.count, contentType?.utf8.count]
        return (messageExpiry == nil ? 0 : 5) + (isUTF8 ? 2 : 0)
            + texts.compactMap(\.self).reduce(0) { $0 + 3 + $1 }
            + userProperties.reduce(0) { $0 + 5 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
