/// The head of the first part of a multipart answer: it names the type of what follows.
struct FirstPart: Sendable {
    /// The bytes in which it is looked for; a preamble may stand before it.
    private static let limit = 1024

    private var bytes: [UInt8] = []
    private var isOver = false

    /// Takes the next bytes of the answer, up to the first that is no text.
    mutating func append(_ more: some Collection<UInt8>) {
        guard !isOver else { return }
        let text = more.prefix(Self.limit - bytes.count).prefix { $0 < 0x80 }
        bytes += text
        isOver = text.count < more.count
    }

    /// The type, once, when its line has come.
    mutating func takeType() -> String? {
        guard !bytes.isEmpty else { return nil }
        // What follows the last line end is not a whole line.
        let lines = bytes.split(separator: ASCII.lf, omittingEmptySubsequences: false).dropLast()
        let head = lines.drop { !$0.starts(with: "--".utf8) }.dropFirst()
        for line in head {
            let text = ASCII.trimmed(String(decoding: line, as: UTF8.self).replacing("\r", with: ""))
            let parts = ASCII.split(text, at: ASCII.colon, maxSplits: 1)
            let isType = parts.count == 2 && ASCII.trimmed(parts[0]).lowercased() == "content-type"
            guard isType || text.isEmpty else { continue }
            (bytes, isOver) = ([], true)
            return isType ? String(ASCII.trimmed(parts[1])) : nil
        }
        if isOver { bytes = [] }
        return nil
    }
}
