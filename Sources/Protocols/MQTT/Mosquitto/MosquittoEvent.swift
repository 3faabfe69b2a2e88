/// What libmosquitto reported in a callback.
enum MosquittoEvent {
    /// CONNACK; `session` holds what it grants, and means something only if the code is 0.
    case connected(code: UInt8, session: MQTTSession)
    /// A message, with the subscription identifiers that it matched (MQTT 5.0, section 3.3.2.3.8).
    case message(MQTTMessage, identifiers: [UInt32])
    /// The broker answered a PUBLISH; at QoS 0, the message was written.
    case published(id: UInt16, MQTTReasonCode)
    case subscribed(id: UInt16, [MQTTReasonCode])
    case disconnected(MQTTReasonCode)
}
