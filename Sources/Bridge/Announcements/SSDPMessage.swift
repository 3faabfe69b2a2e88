import StoredSettings

/// A message of the Simple Service Discovery Protocol (UPnP Device Architecture 2.0, section 1): HTTP's form in a datagram.
///
/// Anybody can send one: what is longer, or stranger, than an announcement is refused as a whole.
struct SSDPMessage: Sendable, Hashable {
    /// The most bytes that are looked at.
    static let largest = 2048
    /// The most header lines.
    static let mostLines = 40

    /// Kinds of message.
    enum Kind: Sendable, Hashable {
        case notify
        /// An answer to a search.
        case answer
    }

    let kind: Kind
    /// By name in lower case; of a repeated one the first.
    let headers: [String: String]

    /// Nil for what is no such message.
    init?(_ datagram: some Collection<UInt8>) {
        guard datagram.count <= Self.largest, let text = String(validating: datagram, as: UTF8.self), text.isStreamSafe
        else { return nil }
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" }
        switch lines.first.map({ $0.split(separator: " ", omittingEmptySubsequences: true) }) {
        case ["NOTIFY", "*", "HTTP/1.1"]?: kind = .notify
        case let words? where words.starts(with: ["HTTP/1.1", "200"]): kind = .answer
        default: return nil
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst().prefix(while: { !$0.isEmpty }).prefix(Self.mostLines + 1) {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, headers.count < Self.mostLines,
                line.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f || $0 == "\t" })
            else { return nil }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            if headers[name] == nil {
                headers[name] = String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            }
        }
        self.headers = headers
    }
}
