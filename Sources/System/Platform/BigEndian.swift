extension FixedWidthInteger {
    /// The number that bytes are, the highest one first.
    @inlinable package init(bigEndianBytes bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }

    /// The bytes of the number, the highest one first.
    @inlinable package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}
