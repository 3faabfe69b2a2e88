package import StoredSettings

/// Reads the messages of a stream of etcd's gateway, one on each line, from the pieces in which the bytes come.
package struct GatewayStream: Sendable {
    /// The largest answer, and the largest message of a stream, in bytes; the gateway itself takes 4 MiB from its member.
    static let sizeLimit = 16 << 20
    static let limits = JSONLimits(bytes: sizeLimit, isLenient: true)

    /// The bytes after the last end of a line.
    private var unread: [UInt8] = []

    package init() {}

    /// Takes a piece, and returns the messages that it completes; throws if a message is an error.
    package mutating func receive(_ piece: [UInt8]) throws -> [JSONValue] {
        var messages: [JSONValue] = []
        var rest = piece[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            messages.append(try Self.message(unread + rest[..<end]))
            unread = []
            rest = rest[(end + 1)...]
        }
        unread += rest
        guard unread.count <= Self.sizeLimit else { throw EtcdError.malformed }
        return messages
    }

    private static func message(_ line: [UInt8]) throws -> JSONValue {
        guard let message = try? JSONValue(json: line, limits: limits) else { throw EtcdError.malformed }
        if let error = EtcdError(message["error"]) { throw error }
        return message["result"]
    }
}
