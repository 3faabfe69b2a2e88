/// How hard the two sides try to deliver a message (MQTT 5.0, section 4.3).
public enum MQTTQoS: UInt8, Sendable, Hashable, CaseIterable, Comparable {
    /// Sent once, never acknowledged.
    case atMostOnce = 0
    /// Acknowledged; may arrive more than once.
    case atLeastOnce = 1
    /// Acknowledged in two steps; arrives once while the session lives.
    case exactlyOnce = 2

    /// Orders by how hard delivery is tried.
    public static func < (left: MQTTQoS, right: MQTTQoS) -> Bool { left.rawValue < right.rawValue }
}
