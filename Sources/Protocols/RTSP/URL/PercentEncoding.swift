/// Percent-encoding of the parts of an address (RFC 3986, section 2).
enum PercentEncoding {
    /// Encodes everything but unreserved characters, so that the result fits any part of a URL.
    static func encode(_ text: String) -> String {
        encode(text, keeping: isUnreserved)
    }

    /// Encodes what a path with its query cannot carry, and leaves escapes that are there.
    static func encodePath(_ text: String) -> String {
        encode(text) { isUnreserved($0) || pathPunctuation.contains($0) }
    }

    /// Decodes; nil when an escape is broken or the bytes are not UTF-8.
    static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Where `needle` ends if it stands at `start` of `bytes`, any of it in escapes.
    static func end(of needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        for byte in needle {
            guard index < bytes.count else { return nil }
            if bytes[index] == byte {
                index += 1
            } else if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2]), high << 4 | low == byte
            {
                index += 3
            } else {
                return nil
            }
        }
        return index
    }

    private static let pathPunctuation = Set("%!$&'()*+,;=:@/?".utf8)

    private static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = text.utf8.flatMap { byte in
            isKept(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || "-._~".utf8.contains(byte)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
