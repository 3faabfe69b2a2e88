/// A message as the packet that publishes it (MQTT 5.0, section 3.3).
extension MQTTMessage {
    /// What a variable byte integer can say (section 1.5.5).
    private static let mostContent = 268_435_455

    /// How many bytes the packet has.
    var packetSize: Int {
        let content = contentSize(properties.wireSize)
        return 1 + Self.lengthSize(content) + content
    }

    /// Why no broker can be sent it; nil if one can.
    func refusal(isV5: Bool) -> MQTTError? {
        if isV5, let problem = properties.problem {
            return MQTTError(.invalidTopic, "A property of the message cannot be sent: \(problem).")
        }
        guard contentSize(isV5 ? properties.wireSize : nil) <= Self.mostContent else {
            return MQTTError(.tooLarge, "The message is larger than MQTT allows.")
        }
        return nil
    }

    /// Adds the packet to `bytes`; the identifier counts at QoS 1 and 2.
    func append(to bytes: inout [UInt8], identifier: UInt16, isRepetition: Bool, isV5: Bool) {
        let properties = isV5 ? properties : MQTTProperties()
        let size = properties.wireSize
        bytes.append(PacketType.publish.head | (isRepetition ? 8 : 0) | qos.rawValue << 1 | (retain ? 1 : 0))
        bytes.append(varint: contentSize(isV5 ? size : nil))
        bytes.append(binary: topic.name.utf8)
        if qos > .atMostOnce { bytes.append(uint16: identifier) }
        if isV5 {
            bytes.append(varint: size)
            properties.append(to: &bytes)
        }
        bytes += payload
    }

    /// Before MQTT 5, there are no properties whose size could be told.
    private func contentSize(_ properties: Int?) -> Int {
        2 + topic.name.utf8.count + (qos > .atMostOnce ? 2 : 0) + (properties.map { Self.lengthSize($0) + $0 } ?? 0)
            + payload.count
    }

    private static func lengthSize(_ length: Int) -> Int {
        switch length {
        case ..<128: 1
        case ..<16_384: 2
        case ..<2_097_152: 3
        default: 4
        }
    }
}
