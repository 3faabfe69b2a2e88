/// A packet that is to be sent.
enum OutboundStep: Hashable {
    /// PUBLISH; the identifier counts at QoS 1 and 2.
    case publish(MQTTMessage, UInt16, isRepetition: Bool)
    /// PUBREL.
    case release(UInt16)

    func append(to bytes: inout [UInt8], isV5: Bool) {
        switch self {
        case .publish(let message, let identifier, let isRepetition):
            message.append(to: &bytes, identifier: identifier, isRepetition: isRepetition, isV5: isV5)
        case .release(let identifier):
            bytes += [PacketType.pubrel.head, 2]
            bytes.append(uint16: identifier)
        }
    }
}
