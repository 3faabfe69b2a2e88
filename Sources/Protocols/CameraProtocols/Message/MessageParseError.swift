/// Why bytes are no message of the protocol, or break a limit; the connection cannot be read any further.
package struct MessageParseError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
