/// Why bytes are no message of the protocol, or break a limit; the connection cannot be read any further.
struct MessageParseError: Error, Sendable, Hashable, CustomStringConvertible {
    enum Code: String, CaseIterable, Sendable {
        case notRTSP
        case startLine
        case header
        case contentLength
        case lineTooLong
        case headersTooLarge
        case tooManyHeaders
        case bodyTooLarge
    }

    let code: Code
    let description: String

    init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }
}
