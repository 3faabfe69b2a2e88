/// Why bytes are no message of the protocol, or break a limit; the connection cannot be read any further.
struct MessageParseError: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
