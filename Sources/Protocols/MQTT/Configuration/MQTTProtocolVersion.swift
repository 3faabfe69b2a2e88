/// The versions of MQTT that the client speaks.
public enum MQTTProtocolVersion: String, Sendable, Hashable, CaseIterable {
    /// MQTT 5.0.
    case v5 = "5"
    /// MQTT 3.1.1: no reason codes, so an access rule that forbids a publish stays silent.
    case v311 = "3.1.1"
}
