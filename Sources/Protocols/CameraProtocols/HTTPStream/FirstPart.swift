/// The head of the first part of a multipart answer: it names the type of what follows.
struct FirstPart: Sendable {
    /// The first bytes, in which the type must come; a preamble may come before the head.
    private static let limit = 1_024

    private var line: [UInt8] = []
    private var count = 0
    private var isInHead = false
    private var isOver = false
    private var type: String?

    /// Takes the next bytes of the answer, up to the end of the head or the first byte that is not text.
    mutating func append(_ more: some Collection<UInt8>) {
        guard !isOver else { return }
        for byte in more {
            count += 1
            isOver = byte >= 0x80 || count > Self.limit
            if isOver { return }
            if byte == ASCII.lf { endLine() } else if byte != ASCII.cr { line.append(byte) }
            if isOver { return }
        }
    }

    /// The type, returned once after its line has come; nil before and after.
    mutating func takeType() -> String? { type.take() }

    private mutating func endLine() {
        let text = ASCII.trimmed(String(decoding: line, as: UTF8.self))
        line = []
        guard isInHead else {
            isInHead = text.hasPrefix("--")
            return
        }
        let parts = ASCII.split(text, at: ASCII.colon, maxSplits: 1)
        if parts.count == 2, ASCII.lowercased(ASCII.trimmed(parts[0])) == "content-type" {
            type = String(ASCII.trimmed(parts[1]))
        }
        isOver = type != nil || text.isEmpty
    }
}
