import CMosquitto

/// What a broker answered, by the names of MQTT 5.0, section 2.4; from 128 on it is a refusal.
public struct MQTTReasonCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// Wraps a byte; one without a name is described by its number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Done.
    public static let success = MQTTReasonCode(rawValue: 0)
    /// A client ends its connection and asks that its will be published.
    static let disconnectWithWill = MQTTReasonCode(rawValue: 4)
    /// Accepted; the topic has no subscriber.
    public static let noMatchingSubscribers = MQTTReasonCode(rawValue: 16)
    /// Refused without a reason; also what a 3.1.1 broker answers to a subscription that it refuses.
    public static let unspecifiedError = MQTTReasonCode(rawValue: 128)
    /// The broker does not speak this version of MQTT.
    public static let unsupportedProtocolVersion = MQTTReasonCode(rawValue: 132)
    /// The broker does not allow this client identifier.
    public static let clientIdentifierNotValid = MQTTReasonCode(rawValue: 133)
    /// The user name or the password is wrong.
    public static let badUserNameOrPassword = MQTTReasonCode(rawValue: 134)
    /// The client may not do this: the broker's access control forbids it.
    public static let notAuthorized = MQTTReasonCode(rawValue: 135)
    /// Another client connected with the same identifier.
    public static let sessionTakenOver = MQTTReasonCode(rawValue: 142)
    /// The packet identifier is that of a packet without an answer.
    static let packetIdentifierInUse = MQTTReasonCode(rawValue: 145)
    /// A packet was larger than the receiver allows.
    public static let packetTooLarge = MQTTReasonCode(rawValue: 149)
    /// A limit of the receiver was exceeded, such as that of messages a second.
    public static let quotaExceeded = MQTTReasonCode(rawValue: 151)
    /// The broker keeps no retained messages.
    public static let retainNotSupported = MQTTReasonCode(rawValue: 154)
    /// The broker does not do a QoS that high.
    public static let qosNotSupported = MQTTReasonCode(rawValue: 155)

    /// Whether the broker refused.
    package var isError: Bool { rawValue >= 128 }

    /// What libmosquitto calls it, such as `Not authorized`, with the number.
    public var description: String { "\(String(cString: mosquitto_reason_string(Int32(rawValue)))) (\(rawValue))" }

    /// The code that says in MQTT 5 what a CONNACK of 3.1.1 says with 1–5 (MQTT 3.1.1, table 3.1).
    static func connectReturnCode(_ code: UInt8) -> MQTTReasonCode {
        switch code {
        case 1: .unsupportedProtocolVersion
        case 2: .clientIdentifierNotValid
        case 3: MQTTReasonCode(rawValue: 136)
        case 4: .badUserNameOrPassword
        case 5: .notAuthorized
        default: MQTTReasonCode(rawValue: code)
        }
    }
}
