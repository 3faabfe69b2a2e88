/// The beginning of a message, line by line.
struct MessageHead: Sendable {
    private let start: StartLine
    private var headers: MessageHeaders = [:]
    private var lines = 0
    let isLenient: Bool
    /// Whether a folded line continues a line that is ignored.
    private var ignoresFolds = false

    init(start: StartLine, isLenient: Bool) { (self.start, self.isLenient) = (start, isLenient) }

    func message(body: [UInt8] = []) -> RTSPMessage {
        switch start {
        case .response(let status, let reason):
            .response(ResponseMessage(status: status, reason: reason, headers: headers, body: body))
        case .request(let method, let url):
            .request(RequestMessage(method: method, url: url, headers: headers, body: body))
        }
    }

    /// Takes the next line, which is not empty; a lenient head ignores a line that is no header.
    mutating func read(_ line: String) throws(MessageParseError) {
        lines += 1
        guard lines <= MessageLimits.count else {
            throw MessageParseError("more than \(MessageLimits.count) header lines")
        }
        let isFolded = line.utf8.first.map(ASCII.isBlank) == true
        if isFolded, ignoresFolds { return }
        do throws(MessageParseError) { try add(line, isFolded: isFolded) } catch {
            guard isLenient else { throw error }
            ignoresFolds = true
            return
        }
        ignoresFolds = false
    }

    private mutating func add(_ line: String, isFolded: Bool) throws(MessageParseError) {
        guard line.utf8.allSatisfy(ASCII.isText) else { throw MessageParseError("a control character in a header") }
        if isFolded {
            guard headers.extendLast(String(ASCII.trimmed(line))) else {
                throw MessageParseError("a folded line with no header before it")
            }
            return
        }
        guard let colon = line.utf8.firstIndex(of: ASCII.colon) else {
            throw MessageParseError("a header line without colon")
        }
        let name = ASCII.trimmed(line[..<colon])
        guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isToken) else {
            throw MessageParseError("a header name with forbidden characters")
        }
        headers.add(name: String(name), value: String(ASCII.trimmed(line[line.utf8.index(after: colon)...])))
    }

    /// The length of the body; nil if the head does not give one.
    func bodyLength(limit: Int) throws(MessageParseError) -> Int? {
        // A list of equal values: a proxy has joined repeated headers (RFC 9110, section 8.6).
        let values = headers["Content-Length"].flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map { String(ASCII.trimmed($0)) }
        }
        guard let first = values.first else { return nil }
        guard values.allSatisfy({ $0 == first }) else {
            throw MessageParseError("several Content-Length that differ")
        }
        guard !first.isEmpty, first.utf8.allSatisfy(ASCII.isDigit) else {
            throw MessageParseError("a Content-Length that is no number")
        }
        guard let length = Int(first), length <= limit else {
            throw MessageParseError("a body over \(limit) bytes")
        }
        return length
    }
}
