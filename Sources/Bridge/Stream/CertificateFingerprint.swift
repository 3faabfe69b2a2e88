/// A certificate's SHA-256 as people write it.
public enum CertificateFingerprint {
    /// The 64 lower-case hexadecimal digits of a fingerprint; nil for a text that is none.
    ///
    /// Colons, spaces and capital letters are how other programs show one.
    public static func normalized(_ text: String) -> String? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: " ") }
        guard digits.count == 64 else { return nil }
        let lower = digits.map { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) ? $0 | 0x20 : $0 }
        let isHexadecimal = lower.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        return isHexadecimal ? String(decoding: lower, as: UTF8.self) : nil
    }
}
