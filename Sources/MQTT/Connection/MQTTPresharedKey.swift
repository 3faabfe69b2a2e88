/// A key that client and broker share, with the name of the client; the key does not print itself.
public struct MQTTPresharedKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name that the broker knows the key by, at most 127 bytes.
    public let identity: String
    let key: [UInt8]

    /// Makes a key of at most 256 bytes.
    public init(identity: String, key: [UInt8]) {
        self.identity = identity
        self.key = key
    }

    /// The name, and no key.
    public var description: String { "MQTTPresharedKey(\(identity), ********)" }
    /// The name, and no key.
    public var debugDescription: String { description }
    /// No children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
