/// What the broker said to a message that it took.
public struct MQTTPublishAcknowledgement: Sendable, Hashable {
    /// The answer; ``MQTTReasonCode/success`` where the protocol gives none (QoS 0, MQTT 3.1.1).
    public let reason: MQTTReasonCode
}
