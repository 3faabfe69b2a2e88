/// Which properties a broker may send in which packet, and how they are written (MQTT 5.0, section 2.2.2.2).
struct PropertyRule: Sendable {
    enum Form: Sendable { case flag, byte, uint16, uint32, varint, string, binary, pair }

    let form: Form
    /// The types of packets that may have it.
    let packets: Set<PacketType>
    /// Whether zero has no meaning and is an error.
    var isNeverZero = false
    /// Whether it may occur more than once.
    var isRepeatable = false

    static let all: [UInt8: PropertyRule] = {
        let answers: Set<PacketType> = [
            .connack, .puback, .pubrec, .pubrel, .pubcomp, .suback, .unsuback, .disconnect, .auth,
        ]
        return [
            0x01: PropertyRule(form: .flag, packets: [.publish]),
            0x02: PropertyRule(form: .uint32, packets: [.publish]),
            0x03: PropertyRule(form: .string, packets: [.publish]),
            0x08: PropertyRule(form: .string, packets: [.publish]),
            0x09: PropertyRule(form: .binary, packets: [.publish]),
            0x0b: PropertyRule(form: .varint, packets: [.publish], isNeverZero: true, isRepeatable: true),
            0x11: PropertyRule(form: .uint32, packets: [.connack]),
            0x12: PropertyRule(form: .string, packets: [.connack]),
            0x13: PropertyRule(form: .uint16, packets: [.connack]),
            0x15: PropertyRule(form: .string, packets: [.connack, .auth]),
            0x16: PropertyRule(form: .binary, packets: [.connack, .auth]),
            0x1a: PropertyRule(form: .string, packets: [.connack]),
            0x1c: PropertyRule(form: .string, packets: [.connack, .disconnect]),
            0x1f: PropertyRule(form: .string, packets: answers),
            0x21: PropertyRule(form: .uint16, packets: [.connack], isNeverZero: true),
            0x22: PropertyRule(form: .uint16, packets: [.connack]),
            0x23: PropertyRule(form: .uint16, packets: [.publish], isNeverZero: true),
            0x24: PropertyRule(form: .flag, packets: [.connack]),
            0x25: PropertyRule(form: .flag, packets: [.connack]),
            0x26: PropertyRule(form: .pair, packets: answers.union([.publish]), isRepeatable: true),
            0x27: PropertyRule(form: .uint32, packets: [.connack], isNeverZero: true),
            0x28: PropertyRule(form: .flag, packets: [.connack]),
            0x29: PropertyRule(form: .flag, packets: [.connack]),
            0x2a: PropertyRule(form: .flag, packets: [.connack]),
        ]
    }()
}

extension WireReader {
    /// Reads the properties of a packet against the rules; returns which there were.
    mutating func properties(of packet: PacketType) throws(ProtocolViolation) -> PropertySet {
        var found = PropertySet()
        let length = try varint()
        guard length > 0 else { return found }
        var reader = WireReader(try skip(length))
        while reader.left > 0 {
            let identifier = try reader.byte()
            guard let rule = PropertyRule.all[identifier], rule.packets.contains(packet) else {
                throw .forbidden("a \(packet) has property \(identifier), which it must not have")
            }
            guard found.insert(identifier) || rule.isRepeatable else {
                throw .forbidden("a \(packet) has property \(identifier) twice")
            }
            let value = try reader.value(of: rule.form)
            if packet == .connack { found.numbers[identifier] = value }
            if value == 0 && rule.isNeverZero || rule.form == .flag && value > 1 {
                throw .forbidden("property \(identifier) of a \(packet) cannot be \(value)")
            }
        }
        return found
    }

    /// The number, where it is one.
    private mutating func value(of form: PropertyRule.Form) throws(ProtocolViolation) -> Int {
        switch form {
        case .flag, .byte: return Int(try byte())
        case .uint16: return Int(try uint16())
        case .uint32: return Int(try uint32())
        case .varint: return try varint()
        case .string: return try string().count
        case .binary: return try binary().count
        case .pair: return try string().count + string().count
        }
    }
}

/// Identifiers of properties, which are all below 64.
struct PropertySet: Sendable {
    private var bits: UInt64 = 0
    /// The values of numbers in a CONNACK.
    var numbers: [UInt8: Int] = [:]

    /// False if it was in already.
    mutating func insert(_ identifier: UInt8) -> Bool {
        defer { bits |= 1 << UInt64(identifier) }
        return !contains(identifier)
    }

    func contains(_ identifier: UInt8) -> Bool { bits & 1 << UInt64(identifier) != 0 }
}
