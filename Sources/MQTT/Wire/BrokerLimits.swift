/// What the broker grants in its CONNACK (MQTT 5.0, section 3.2.2.3); nil where it says nothing.
struct BrokerLimits: Sendable, Hashable {
    var maximumPacketSize: Int?
    var receiveMaximum: Int?
    var isRetainAvailable: Bool?
    var maximumQoS: MQTTQoS?
    /// In seconds.
    var keepAlive: Int?
    var assignedClientID: String?
    var hasSubscriptionIdentifiers: Bool?
    var hasWildcards: Bool?
    var hasSharedSubscriptions: Bool?

    /// Keeps what a property says.
    mutating func take(_ identifier: UInt8, _ value: PropertyValue) {
        switch (identifier, value) {
        case (0x12, .bytes(let name)): assignedClientID = String(decoding: name, as: UTF8.self)
        case (0x13, .number(let seconds)): keepAlive = seconds
        case (0x21, .number(let count)): receiveMaximum = count
        case (0x24, .number(let qos)): maximumQoS = MQTTQoS(rawValue: UInt8(qos))
        case (0x25, .number(let flag)): isRetainAvailable = flag == 1
        case (0x27, .number(let size)): maximumPacketSize = size
        case (0x28, .number(let flag)): hasWildcards = flag == 1
        case (0x29, .number(let flag)): hasSubscriptionIdentifiers = flag == 1
        case (0x2a, .number(let flag)): hasSharedSubscriptions = flag == 1
        default: break
        }
    }
}
