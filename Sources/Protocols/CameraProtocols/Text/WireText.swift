/// Text of a server that may not be UTF-8, such as a realm in Latin-1 or GBK, kept so that it goes back byte for byte.
///
/// In a line that is not UTF-8, each byte from 0x80 on becomes the scalar 0x10FF00 + byte, which is for private use.
enum WireText {
    static func text(of line: ArraySlice<UInt8>) -> String {
        if let text = String(validating: line, as: UTF8.self) { return text }
        let escaped = line.flatMap { $0 < 0x80 ? [$0] : [0xf4, 0x8f, 0xbc | $0 >> 6, 0x80 | $0 & 0x3f] }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// The bytes that go over the wire, or into a digest.
    static func bytes(of text: String) -> [UInt8] {
        let utf8 = Array(text.utf8)
        guard utf8.contains(0xf4) else { return utf8 }
        return text.unicodeScalars.flatMap {
            isByte($0) ? [UInt8(truncatingIfNeeded: $0.value)] : Array($0.utf8)
        }
    }

    static func isByte(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x10ff80 }
}
