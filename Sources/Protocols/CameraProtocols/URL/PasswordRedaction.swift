import Secrets

/// Hides a password in text of a server: in clear or as Basic sends it, percent-encoded or not, in upper or lower case.
struct PasswordRedaction: Sendable {
    private let forms: [[UInt8]]
    private let starts: [UInt8]

    /// A password of fewer than 4 bytes is hidden only as Basic sends it: many words contain it.
    init(_ password: Secret<String>?, user: String?) {
        let secret = Array((password?.reveal() ?? "").utf8)
        if secret.isEmpty {
            forms = []
        } else {
            let basic = Array(Base64.encode(Array((user ?? "").utf8) + [ASCII.colon] + secret).utf8)
            forms = (secret.count < 4 ? [basic] : [secret, basic]).map { $0.map(ASCII.lowercased) }
        }
        starts = forms.map { $0[0] } + [UInt8(ascii: "%")]
    }

    /// The text without the password.
    ///
    /// Compares bytes, because a combining mark after the password would change its last character.
    func apply(_ text: String) -> String {
        guard !forms.isEmpty, text.utf8.contains(where: { starts.contains(ASCII.lowercased($0)) }) else { return text }
        let bytes = Array(text.utf8)
        var (clean, kept) = ([UInt8](), 0)
        var index = 0
        while index < bytes.count {
            guard starts.contains(ASCII.lowercased(bytes[index])),
                let end = forms.lazy.compactMap({ Self.end(of: $0, in: bytes, from: index) }).first
            else {
                index += 1
                continue
            }
            clean += bytes[kept..<index] + Array("********".utf8)
            (index, kept) = (end, end)
        }
        return kept == 0 ? text : String(decoding: clean + bytes[kept...], as: UTF8.self)
    }

    /// Where `needle` ends if it stands at `start` of `bytes`, any of it in escapes.
    private static func end(of needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        for byte in needle {
            guard index < bytes.count else { return nil }
            if ASCII.lowercased(bytes[index]) == byte {
                index += 1
            } else if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2]),
                ASCII.lowercased(high << 4 | low) == byte
            {
                index += 3
            } else {
                return nil
            }
        }
        return index
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
