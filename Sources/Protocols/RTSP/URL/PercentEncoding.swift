/// Percent-encoding of the parts of an address (RFC 3986, section 2).
enum PercentEncoding {
    /// Encodes everything but unreserved characters, so that the result fits any part of a URL.
    static func encode(_ text: String) -> String {
        encode(text.utf8) { isUnreserved($0) }
    }

    /// Encodes what a path with its query cannot carry, and leaves escapes that are there.
    static func encodePath(_ text: String) -> String {
        encode(text.utf8) { isUnreserved($0) || pathPunctuation.contains($0) }
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

    private static func encode(_ bytes: some Sequence<UInt8>, keeping: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if keeping(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
