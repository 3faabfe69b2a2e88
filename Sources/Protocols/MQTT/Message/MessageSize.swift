/// Sizes of a PUBLISH packet, by the sections of MQTT 5.0.
extension MQTTMessage {
    /// What a variable byte integer can express (section 1.5.5).
    private static let maximumContent = 268_435_455
    /// Fixed header, lengths and packet identifier, at most (sections 2.1 and 3.3.2).
    private static let overhead = 1 + 4 + 2 + 2 + 4

    /// An upper bound of the packet's size in bytes, at most 8 more than it has.
    var sizeLimit: Int { Self.overhead + topic.name.utf8.count + properties.sizeLimit + payload.count }

    /// Why the message cannot be sent to any broker; nil if it can.
    var problem: MQTTError? {
        if properties.correlationData?.count ?? 0 > PacketText.maximumSize {
            let problem = "the correlation data has more than 65,535 bytes"
            return MQTTError(.invalidTopic, "A property of the message cannot be sent: \(problem).")
        }
        guard sizeLimit <= Self.maximumContent else {
            return MQTTError(.tooLarge, "The message is larger than MQTT allows.")
        }
        return nil
    }
}

extension MQTTProperties {
    /// An upper bound of their size in bytes.
    fileprivate var sizeLimit: Int {
        func size(_ count: Int?) -> Int { count.map { 3 + $0 } ?? 0 }
        return (isUTF8 ? 2 : 0) + (messageExpiry == nil ? 0 : 5)
            + size(responseTopic?.name.utf8.count) + size(correlationData?.count)
    }
}
