/// Which properties a broker may send in which packet, and how they are written (MQTT 5.0, section 2.2.2.2).
struct PropertyRule: Sendable {
    enum Form: Sendable { case flag, byte, uint16, uint32, varint, string, binary, pair }

    let form: Form
    /// The types of packets that may have it.
    let packets: PacketTypes
    /// Whether zero has no meaning and is an error.
    var isNeverZero = false
    /// Whether it may occur more than once.
    var isRepeatable = false

    static let all: [UInt8: PropertyRule] = {
        let answers: PacketTypes = [
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

    /// The same by their numbers, all of which are below 64: a rule is looked up for every message.
    fileprivate static let table = (0..<64).map { all[$0] }
}

extension WireReader {
    /// Reads the properties of a packet against the rules, and hands each to `take`.
    mutating func properties(
        of packet: PacketType,
        take: (_ identifier: UInt8, _ value: PropertyValue) -> Void = { _, _ in }
    ) throws(ProtocolViolation) {
        let length = try varint()
        guard length > 0 else { return }
        var found = PropertySet()
        var reader = WireReader(try skip(length))
        while reader.left > 0 {
            let identifier = try reader.byte()
            guard identifier < 64, let rule = PropertyRule.table[Int(identifier)], rule.packets.contains(packet) else {
                throw .forbidden("a \(packet) has property \(identifier), which it must not have")
            }
            guard found.insert(identifier) || rule.isRepeatable else {
                throw .forbidden("a \(packet) has property \(identifier) twice")
            }
            let value = try reader.value(of: rule.form)
            if case .number(let number) = value, number == 0 && rule.isNeverZero || rule.form == .flag && number > 1 {
                throw .forbidden("property \(identifier) of a \(packet) cannot be \(number)")
            }
            take(identifier, value)
        }
    }

    private mutating func value(of form: PropertyRule.Form) throws(ProtocolViolation) -> PropertyValue {
        switch form {
        case .flag, .byte: .number(Int(try byte()))
        case .uint16: .number(Int(try uint16()))
        case .uint32: .number(Int(try uint32()))
        case .varint: .number(try varint())
        case .string: .bytes(try string())
        case .binary: .bytes(try binary())
        case .pair: .pair(try string(), try string())
        }
    }
}

/// What a property says, as long as its packet is there.
enum PropertyValue {
    case number(Int)
    /// Text, which is UTF-8 then, or any bytes.
    case bytes(UnsafeRawBufferPointer)
    case pair(UnsafeRawBufferPointer, UnsafeRawBufferPointer)
}

/// Identifiers of properties, which are all below 64.
private struct PropertySet {
    private var bits: UInt64 = 0

    /// False if it was in already.
    mutating func insert(_ identifier: UInt8) -> Bool {
        let bit: UInt64 = 1 << UInt64(identifier)
        defer { bits |= bit }
        return bits & bit == 0
    }
}
