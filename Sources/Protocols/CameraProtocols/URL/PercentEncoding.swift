extension String {
    /// The text with each byte escaped that is neither unreserved (RFC 3986, section 2.3) nor one of `others`.
    ///
    /// Written without Foundation, whose escaping took half of the time for an address: each change of a setting makes several.
    package func percentEncoded(keeping others: String = "") -> String {
        func isKept(_ byte: UInt8) -> Bool {
            ASCII.isLetterOrDigit(byte) || "-._~".utf8.contains(byte) || others.utf8.contains(byte)
        }
        guard !utf8.allSatisfy(isKept) else { return self }
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = utf8.flatMap { byte in
            isKept(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
