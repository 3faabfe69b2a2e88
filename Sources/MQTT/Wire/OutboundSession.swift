/// How far the broker is with the messages that it was sent, over all connections of a session (MQTT 5.0, section 4.4).
///
/// Where a new connection allows fewer messages in flight than the last one, libmosquitto 2.0.11 takes those beyond for
/// messages that it never sent. A broker that was told to release one would take it for another.
struct OutboundSession: Sendable {
    /// Sent on an earlier connection, and not answered yet.
    private var repeated: Set<UInt16> = []
    /// Messages of QoS 2 that the broker has and has not completed.
    private var taken: Set<UInt16> = []

    /// A connection has ended, and these were not answered.
    mutating func connectionEnded(unanswered: some Sequence<UInt16>) { repeated = Set(unanswered) }

    /// The broker answers something of ours.
    mutating func answered(_ type: PacketType, _ identifier: UInt16, _ reason: MQTTReasonCode) {
        guard type != .pubrel else { return }
        repeated.remove(identifier)
        if type == .pubrec, !reason.isError {
            taken.insert(identifier)
        } else {
            taken.remove(identifier)
        }
    }

    /// What goes in place of a packet of libmosquitto: PUBREL for a message that the broker has, the mark of a repetition
    /// (DUP, section 3.3.1.1) where it is missing; nil if the packet may go as it is.
    func substitute(for packet: UnsafeRawBufferPointer, content: Int) -> [UInt8]? {
        guard !repeated.isEmpty || !taken.isEmpty, packet[0] >> 4 == PacketType.publish.rawValue,
            packet[0] & 6 != 0
        else { return nil }
        let place = content + 2 + Int(packet[content]) << 8 + Int(packet[content + 1])
        let (high, low) = (packet[place], packet[place + 1])
        let identifier = UInt16(high) << 8 | UInt16(low)
        if taken.contains(identifier) { return [PacketType.pubrel.head, 2, high, low] }
        guard repeated.contains(identifier), packet[0] & 8 == 0 else { return nil }
        return [packet[0] | 8] + packet.dropFirst()
    }
}
