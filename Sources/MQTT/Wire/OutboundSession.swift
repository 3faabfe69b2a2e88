/// The QoS 2 messages of ours that the broker has taken and not completed, over all connections of a session (MQTT 5.0,
/// section 4.3.3).
///
/// Where a new connection allows fewer messages in flight, libmosquitto 2.0.11 forgets that it had released one, and
/// publishes it again. A broker that knows of the release would take that for a new message.
struct OutboundSession: Sendable {
    private var taken: Set<UInt16> = []

    /// The broker answers something of ours.
    mutating func answered(_ type: PacketType, _ identifier: UInt16, _ reason: MQTTReasonCode) {
        switch type {
        case .pubrec where !reason.isError: taken.insert(identifier)
        case .pubrec, .pubcomp: taken.remove(identifier)
        default: break
        }
    }

    /// The PUBREL that goes in place of a message of libmosquitto; nil if the message may go.
    func release(insteadOf packet: UnsafeRawBufferPointer, content: Int) -> [UInt8]? {
        guard !taken.isEmpty, packet[0] & 0xf6 == PacketType.publish.rawValue << 4 | 4 else { return nil }
        let identifier = content + 2 + Int(packet[content]) << 8 + Int(packet[content + 1])
        let (high, low) = (packet[identifier], packet[identifier + 1])
        guard taken.contains(UInt16(high) << 8 | UInt16(low)) else { return nil }
        return [PacketType.pubrel.rawValue << 4 | 2, 2, high, low]
    }
}
