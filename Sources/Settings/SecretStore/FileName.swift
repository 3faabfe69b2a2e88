/// A name as a file system takes it: letters, digits, `-` and `_` as they are, a dot too unless it comes first, and
/// every other byte as `%` and two digits.
///
/// Two names are never the same file, but on file systems that do not tell `a` from `A`.
struct FileName: Hashable {
    /// As many bytes as file systems take.
    static let limit = 255

    let name: String
    let text: String

    init(_ name: String) {
        var text = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "."): text += text.isEmpty ? "%2E" : "."
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        self.name = name
        self.text = text
    }

    /// The name for which a file was made; nil for a file that none was made for.
    init?(file text: String) {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let name = String(validating: bytes, as: UTF8.self) else { return nil }
        self.init(name)
        guard self.text == text else { return nil }
    }
}
