/// A checksum that tells damage (FNV-1a of 64 bits); it is no protection from an attacker.
struct Checksum: Equatable {
    private let value: UInt64

    /// The checksum of a value, however it is laid out.
    init(of value: StoredValue) {
        self.value = value.jsonBytes().reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// 16 hexadecimal digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
