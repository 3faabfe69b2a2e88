import Foundation

/// Base64 (RFC 4648, section 4), with the padding that servers forget.
package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Nil when a character is none of Base64.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.prefix { $0 != "=" }
        let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        return Data(base64Encoded: digits + padding).map(Array.init)
    }
}
