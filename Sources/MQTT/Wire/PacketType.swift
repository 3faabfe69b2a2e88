/// The types of MQTT control packets (MQTT 5.0, section 2.1.2).
enum PacketType: UInt8, Sendable, CustomStringConvertible {
    case connect = 1, connack, publish, puback, pubrec, pubrel, pubcomp, subscribe, suback, unsubscribe, unsuback
    case pingreq, pingresp, disconnect, auth

    /// The first byte of a packet of this type, but for PUBLISH, whose flags are its own (MQTT 5.0, section 2.1.3).
    var head: UInt8 {
        switch self {
        case .pubrel, .subscribe, .unsubscribe: rawValue << 4 | 2
        default: rawValue << 4
        }
    }

    var description: String {
        switch self {
        case .connect: "CONNECT"
        case .connack: "CONNACK"
        case .publish: "PUBLISH"
        case .puback: "PUBACK"
        case .pubrec: "PUBREC"
        case .pubrel: "PUBREL"
        case .pubcomp: "PUBCOMP"
        case .subscribe: "SUBSCRIBE"
        case .suback: "SUBACK"
        case .unsubscribe: "UNSUBSCRIBE"
        case .unsuback: "UNSUBACK"
        case .pingreq: "PINGREQ"
        case .pingresp: "PINGRESP"
        case .disconnect: "DISCONNECT"
        case .auth: "AUTH"
        }
    }
}

/// A set of types, in the bits of a number.
struct PacketTypes: Sendable, ExpressibleByArrayLiteral {
    private var bits: UInt16 = 0

    init(arrayLiteral types: PacketType...) {
        for type in types { bits |= 1 << type.rawValue }
    }

    func contains(_ type: PacketType) -> Bool { bits & 1 << type.rawValue != 0 }

    func union(_ other: PacketTypes) -> PacketTypes {
        var union = self
        union.bits |= other.bits
        return union
    }
}
