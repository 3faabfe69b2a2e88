/// A checksum that tells damage (FNV-1a of 64 bits); it is no protection from an attacker.
package struct Checksum: Equatable, Sendable {
    /// The 64 bits.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Of nothing yet.
    package init() {}

    /// The checksum of a value, however it is laid out.
    init(of value: SettingValue) { add(value.jsonBytes()) }

    /// Takes in some bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// Takes in bytes of which it is told where they end.
    package mutating func add(part bytes: some Collection<UInt8>) {
        add(bytes)
        add(UInt64(bytes.count))
    }

    /// Takes in a text of which it is told where it ends.
    package mutating func add(part text: String) {
        var text = text
        // Not byte by byte through the protocols of collections, which takes ten times as long.
        let count = text.withUTF8 { bytes in
            for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return bytes.count
        }
        add(UInt64(count))
    }

    /// Takes in a number.
    package mutating func add(_ number: some FixedWidthInteger) {
        let bits = UInt64(truncatingIfNeeded: number)
        for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
            value = (value ^ (bits >> shift & 0xFF)) &* 0x100_0000_01B3
        }
    }

    /// 16 hexadecimal digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
