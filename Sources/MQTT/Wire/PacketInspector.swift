/// Judges every packet of a broker before libmosquitto sees it, and reads the messages, which it does not get to see.
///
/// libmosquitto 2.0.11 ends the whole process when it meets a property that it does not know, takes packets of any
/// size, delivers a message twice whose PUBLISH comes again on a resumed session, and loses one when a broker sends more
/// of them at once than it was asked to (mosquitto does so after a reconnect). Nothing of that reaches it; and a message
/// that was judged to its last byte need not be read a second time.
struct PacketInspector: Sendable {
    enum Verdict: Hashable {
        /// For the library.
        case pass
        /// A message for the subscribers.
        case message(InboundMessage)
        /// A message of QoS 2 that came before: only PUBREC is due.
        case repeated(UInt16)
        /// PUBREL: PUBCOMP is due.
        case released(UInt16)
        /// PUBACK, PUBREC or PUBCOMP for a message of ours.
        case answered(PacketType, UInt16, MQTTReasonCode)
        /// The broker ends the connection.
        case disconnect(MQTTReasonCode)
    }

    private let isV5: Bool
    private let cleanStart: Bool
    private let hasClientID: Bool
    private var isOpen = false
    /// By the last CONNACK that accepted.
    private(set) var limits = BrokerLimits()
    /// What the broker has sent of the session.
    var inbound = InboundSession()

    init(_ configuration: MQTTConfiguration) {
        isV5 = configuration.protocolVersion == .v5
        cleanStart = configuration.cleanStart
        hasClientID = !configuration.clientID.isEmpty
    }

    /// A new connection of the session; the broker will say if it has forgotten it.
    mutating func reconnected() {
        isOpen = false
        inbound.connectionEnded()
    }

    mutating func inspect(
        _ packet: UnsafeRawBufferPointer,
        content: Int
    ) throws(ProtocolViolation) -> Verdict {
        guard let type = PacketType(rawValue: packet[0] >> 4) else {
            throw .malformed("a packet of type 0, which does not exist")
        }
        let flags = packet[0] & 0x0f
        guard type == .publish || flags == (type == .pubrel ? 2 : 0) else {
            throw .malformed("a \(type) has the flags \(flags)")
        }
        guard isOpen || type == .connack || isV5 && (type == .disconnect || type == .auth) else {
            throw .forbidden("a \(type) comes before CONNACK")
        }
        var reader = WireReader(packet, from: content)
        switch type {
        case .connack:
            try connack(&reader)
        case .publish:
            return try publish(flags, &reader)
        case .puback, .pubrec, .pubrel, .pubcomp:
            let identifier = try reader.identifier()
            let reason = try end(of: type, &reader)
            guard type == .pubrel else { return .answered(type, identifier, reason) }
            inbound.released(identifier)
            return .released(identifier)
        case .suback, .unsuback:
            _ = try reader.identifier()
            if isV5 { try reader.properties(of: type) }
            guard type == .unsuback || reader.left > 0 else { throw .malformed("a SUBACK has no reason code") }
        case .pingresp:
            guard reader.left == 0 else { throw .malformed("a PINGRESP has a content") }
        case .disconnect where isV5:
            guard reader.left > 0 else { return .disconnect(.success) }
            let reason = try reader.byte()
            if reader.left > 0 { try reader.properties(of: type) }
            return .disconnect(MQTTReasonCode(rawValue: reason))
        default:
            throw .forbidden("a \(type) comes from the broker")
        }
        return .pass
    }

    /// Judges a message that is too large to be taken by what stands before its content.
    ///
    /// - Returns: The answer that is due: the broker would send it again and again without one. Nil for QoS 0.
    mutating func leaveOut(
        _ beginning: UnsafeRawBufferPointer,
        content: Int
    ) throws(ProtocolViolation) -> (type: PacketType, identifier: UInt16)? {
        let qos = beginning[0] >> 1 & 3
        guard isOpen, qos < 3 else { throw .malformed("a PUBLISH has QoS 3, or comes before CONNACK") }
        var reader = WireReader(beginning, from: content)
        _ = try reader.string()
        guard qos > 0 else { return nil }
        let identifier = try reader.identifier()
        guard qos == 2 else { return (.puback, identifier) }
        inbound.leftOut(identifier)
        return (.pubrec, identifier)
    }

    private mutating func connack(_ reader: inout WireReader) throws(ProtocolViolation) {
        guard !isOpen else { throw .forbidden("a second CONNACK") }
        let flags = try reader.byte()
        let reason = try reader.byte()
        guard flags & 0xfe == 0 else { throw .malformed("a CONNACK has the flags \(flags)") }
        // A broker of 3.1.1 refuses MQTT 5 in its own form, with nothing behind.
        let isOfOldBroker = reason == 1 && reader.left == 0
        var new = BrokerLimits()
        if isV5, !isOfOldBroker {
            try reader.properties(of: .connack) { new.take($0, $1) }
            guard new.assignedClientID == nil || !hasClientID else {
                throw .forbidden("a CONNACK renames a client that has a name")
            }
        }
        guard reader.left == 0 else { throw .malformed("a CONNACK is longer than it should be") }
        let isResumed = flags == 1
        guard !isResumed || !cleanStart && reason == 0 else {
            throw .forbidden("a CONNACK resumes a session that was to be forgotten")
        }
        isOpen = reason == 0
        // What one that refuses says binds nobody.
        guard isOpen else { return }
        limits = new
        if !isResumed { inbound = InboundSession() }
    }

    private mutating func publish(_ flags: UInt8, _ reader: inout WireReader) throws(ProtocolViolation) -> Verdict {
        guard let qos = MQTTQoS(rawValue: flags >> 1 & 3) else { throw .malformed("a PUBLISH has QoS 3") }
        let topic = try reader.string()
        guard !topic.contains(where: TopicSyntax.isWildcard) else {
            throw .forbidden("the topic of a PUBLISH has a wildcard")
        }
        let identifier = qos > .atMostOnce ? try reader.identifier() : 0
        var (properties, subscriptions, hasAlias) = (MQTTProperties(), [UInt32](), false)
        if isV5 {
            try reader.properties(of: .publish) { identifier, value in
                switch (identifier, value) {
                case (0x0b, .number(let subscription)): subscriptions.append(UInt32(subscription))
                case (0x23, _): hasAlias = true
                default: properties.take(identifier, value)
                }
            }
        }
        guard !hasAlias else {
            throw ProtocolViolation(
                problem: "a PUBLISH has a topic alias, and none is allowed",
                reason: .topicAliasInvalid
            )
        }
        guard !topic.isEmpty else { throw .forbidden("a PUBLISH has no topic") }
        let payload = try reader.skip(reader.left)
        let message = InboundMessage(
            message: MQTTMessage(
                topic: MQTTTopic(unchecked: String(decoding: topic, as: UTF8.self)),
                payload: Array(payload),
                qos: qos,
                retain: flags & 1 == 1,
                properties: properties
            ),
            id: identifier,
            subscriptions: subscriptions
        )
        guard qos == .exactlyOnce else { return .message(message) }
        var hasher = Hasher()
        hasher.combine(bytes: topic)
        hasher.combine(bytes: payload)
        let isRepetition = flags & 8 != 0
        let isNew = inbound.published(identifier, fingerprint: hasher.finalize(), isRepetition: isRepetition)
        return isNew ? .message(message) : .repeated(identifier)
    }

    /// Reason code and properties, which MQTT 5 may leave out (section 3.4.2).
    private func end(of type: PacketType, _ reader: inout WireReader) throws(ProtocolViolation) -> MQTTReasonCode {
        var reason = MQTTReasonCode.success
        if isV5, reader.left > 0 {
            reason = MQTTReasonCode(rawValue: try reader.byte())
            if reader.left > 0 { try reader.properties(of: type) }
        }
        guard reader.left == 0 else { throw .malformed("a \(type) is longer than it should be") }
        return reason
    }
}
