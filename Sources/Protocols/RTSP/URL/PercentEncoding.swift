package import Foundation

/// Percent-encoding of the parts of an address (RFC 3986, section 2).
enum PercentEncoding {
    /// Encodes everything but unreserved characters, so that the result fits any part of a URL.
    static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? ""
    }

    /// Encodes what a path with its query cannot carry, and leaves escapes that are there.
    static func encodePath(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: path) ?? ""
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

    private static let path = CharacterSet.unreserved.union(CharacterSet(charactersIn: "%!$&'()*+,;=:@/?"))

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}

extension CharacterSet {
    /// What RFC 3986, section 2.3, leaves as it is.
    package static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
