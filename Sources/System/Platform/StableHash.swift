/// A hash that is the same on every machine and in every run, unlike Swift's own: FNV-1a of 64 bits.
package func stableHash(_ text: some StringProtocol) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
