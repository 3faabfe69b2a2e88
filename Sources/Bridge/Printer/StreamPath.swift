/// The path of a stream URL.
enum StreamPath {
    /// Why `text` is no path; nil when it is one.
    static func fault(in text: String) -> String? {
        guard text.hasPrefix("/") else { return "must begin with /" }
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
        return isPlain ? nil : "must be printable ASCII without spaces or #"
    }
}
