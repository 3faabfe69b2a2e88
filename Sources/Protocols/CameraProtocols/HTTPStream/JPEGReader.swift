/// Cuts JPEG pictures out of the bytes that a server sends, with whatever stands between them.
///
/// A picture ends where it says so itself (T.81, B.1.1.3). What `multipart/x-mixed-replace` has around it is not read: cameras
/// announce other boundaries than they send, and wrong lengths. If a picture says nothing, its part ends it, as in browsers.
struct JPEGReader: Sendable {
    private var bytes: [UInt8] = []
    /// Where the picture begins, or where the search for the next one goes on.
    private var start = 0
    private var scanner: JPEGScanner?
    /// The first bytes in which the first part must name its type; a preamble may come before its head.
    private static let headLimit = 1_024
    /// The first bytes, while the head of the first part may go on.
    private var head: [UInt8]? = []
    /// Whether the head may be longer by a line, or at its end.
    private var hasNewLine = false

    mutating func append(_ more: some Collection<UInt8>) {
        if let count = head?.count {
            head? += more.prefix(Self.headLimit + 1)
            hasNewLine = count > Self.headLimit || more.contains { $0 == ASCII.lf || $0 >= 0x80 }
        }
        bytes.removeFirst(start)
        start = 0
        bytes.append(contentsOf: more)
    }

    /// The next message; nil when more bytes are needed.
    ///
    /// First comes the type of the first part, if it names one. Then come the beginning and the end of each picture;
    /// the end is missing if the bytes turn out to be no picture.
    mutating func next() throws(MessageParseError) -> HTTPParser.Message? {
        if let type = takeType() { return .part(type: type) }
        while true {
            guard var scanner else {
                start = nextStart
                guard bytes.count - start >= 3 else { return nil }
                self.scanner = JPEGScanner(findsEnd: true)
                return .pictureBegins
            }
            let isJPEG = scanner.scan(bytes[start...])
            if let length = isJPEG ? scanner.length : partLength(scanner) { return finishPicture(length, scanner) }
            guard isJPEG else {
                start = min(bytes.count, start + scanner.next)
                self.scanner = nil
                continue
            }
            self.scanner = scanner
            guard bytes.count - start <= CodedPicture.byteLimit else {
                throw MessageParseError("a picture over \(CodedPicture.byteLimit >> 20) MiB")
            }
            return nil
        }
    }

    /// The type that the head of the first part names, returned once.
    ///
    /// A byte that is not text ends the head.
    private mutating func takeType() -> String? {
        guard hasNewLine, let head else { return nil }
        hasNewLine = false
        let text = head.prefix(Self.headLimit).prefix { $0 < 0x80 }
        let lines = text.split(separator: ASCII.lf, omittingEmptySubsequences: false).dropLast().map { line in
            ASCII.trimmed(String(decoding: line.filter { $0 != ASCII.cr }, as: UTF8.self))
        }
        let fields = lines.drop { !$0.hasPrefix("--") }.dropFirst().prefix { !$0.isEmpty }
        let type = fields.lazy.map { ASCII.split($0, at: ASCII.colon, maxSplits: 1) }
            .first { $0.count == 2 && ASCII.lowercased(ASCII.trimmed($0[0])) == "content-type" }
        if type != nil || text.count < head.count || fields.endIndex < lines.endIndex { self.head = nil }
        return type.map { String(ASCII.trimmed($0[1])) }
    }

    /// The picture that the end of the body ends; nil if there is none.
    mutating func takeLast() -> HTTPParser.Message? {
        guard let scanner, scanner.isInScan else { return nil }
        return finishPicture(bytes.count - start, scanner)
    }

    /// A picture gets the end marker that it lacks: not all decoders do without.
    private mutating func finishPicture(_ length: Int, _ scanner: JPEGScanner) -> HTTPParser.Message? {
        var picture = Array(bytes[start...].prefix(length))
        if scanner.length == nil { picture += [0xff, 0xd9] }
        (start, self.scanner) = (start + length, nil)
        return scanner.format.map { .picture($0, picture) }
    }

    /// The length of a picture that ends at the boundary before the next picture.
    private func partLength(_ scanner: JPEGScanner) -> Int? {
        let next = start + scanner.next
        guard scanner.isInScan, bytes[next...].starts(with: [0xff, 0xd8]) else { return nil }
        let head = bytes[max(start, next - 1024)..<next]
        return head.ranges(of: "\n--".utf8).last.map { $0.lowerBound - start }
    }

    /// Where a picture begins, or could begin when further bytes have come.
    private var nextStart: Int {
        var index = start
        while let found = bytes[index...].firstIndex(of: 0xff) {
            let begin = bytes[found...].prefix(3)
            if begin.elementsEqual([0xff, 0xd8, 0xff].prefix(begin.count)) { return found }
            index = found + 1
        }
        return bytes.count
    }
}
