/// What libmosquitto reported through its callbacks during one call.
enum MosquittoEvent {
    /// CONNACK; `code` as on the wire.
    case connected(code: UInt8, isResumed: Bool)
    /// SUBACK, one code for each filter.
    case subscribed(id: UInt16, codes: [MQTTReasonCode])
}
