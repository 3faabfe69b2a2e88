/// A message of the Simple Service Discovery Protocol (UPnP Device Architecture 2.0, section 1): HTTP's form in a datagram.
///
/// Printers leave out headers, the empty line and even the last line end. A header that is not plain text is ignored; it
/// does not lose the message.
struct SSDPMessage: Sendable, Hashable {
    /// The most bytes of a datagram that are read; a longer one is refused.
    static let largest = 2048

    /// What it is about: `NT` in an announcement, `ST` in the answer to a search.
    ///
    /// Scripts that relay announcements between networks send either header in both messages.
    var target: String? { headers["nt"] ?? headers["st"] }
    /// Values in printable ASCII, without blanks at their ends, by the header's name in lower case.
    ///
    /// The first of a repeated header counts.
    let headers: [String: String]

    /// Reads a datagram; nil for anything but such a message.
    init?(_ datagram: some Collection<UInt8>) {
        guard datagram.count <= Self.largest else { return nil }
        let lines = Array(datagram).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map(Self.trimmed).drop(while: \.isEmpty)
        let words = lines.first?.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) } ?? []
        guard words == ["NOTIFY", "*", "HTTP/1.1"] || words.starts(with: ["HTTP/1.1", "200"]) else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let (name, value) = (Self.trimmed(line[..<colon]), Self.trimmed(line[(colon + 1)...]))
            guard (name + value).allSatisfy({ (0x20...0x7e).contains($0) }) else { continue }
            let key = String(decoding: name, as: UTF8.self).lowercased()
            headers[key] = headers[key] ?? String(decoding: value, as: UTF8.self)
        }
        self.headers = headers
    }

    /// Without blanks, carriage returns and NULs at both ends.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in [0x00, 0x09, 0x0d, 0x20].contains(byte) }
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
        return bytes[..<end].drop(while: isBlank)
    }
}
