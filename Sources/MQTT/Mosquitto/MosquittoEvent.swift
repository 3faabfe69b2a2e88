/// What libmosquitto reported through its callbacks during one call.
enum MosquittoEvent {
    /// CONNACK; `code` as on the wire.
    case connected(code: UInt8, isResumed: Bool, limits: MosquittoLimits)
    /// PUBACK, PUBCOMP, or written at QoS 0.
    case published(id: UInt16, reason: MQTTReasonCode)
    /// SUBACK, one code for each filter.
    case subscribed(id: UInt16, codes: [MQTTReasonCode])
    /// PUBLISH, with its packet identifier (0 at QoS 0) and those of the subscriptions that it matched.
    case message(MQTTMessage, id: UInt16, subscriptions: [UInt32])
}

/// The limits in a CONNACK; nil where it named none.
struct MosquittoLimits: Sendable, Hashable {
    var maximumPacketSize: UInt32?
    var receiveMaximum: UInt16?
    var isRetainAvailable: Bool?
    var maximumQoS: UInt8?
    var keepAlive: UInt16?
    var assignedClientID: String?
    var hasSubscriptionIdentifiers: Bool?
    var hasWildcards: Bool?
    var hasSharedSubscriptions: Bool?
}
