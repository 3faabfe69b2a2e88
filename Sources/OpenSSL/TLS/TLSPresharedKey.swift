/// A key that client and server share, with the name of the client; the key does not print itself.
public struct TLSPresharedKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name that the server knows the key by, 1–127 bytes without NUL.
    public let identity: String
    let key: [UInt8]

    /// Makes a key of 1–256 bytes.
    public init(identity: String, key: [UInt8]) {
        self.identity = identity
        self.key = key
    }

    /// The name, and no key.
    public var description: String { "TLSPresharedKey(\(identity), ********)" }
    /// The name, and no key.
    public var debugDescription: String { description }
    /// No children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
