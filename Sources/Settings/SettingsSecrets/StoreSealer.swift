public import OpenSSL
public import StoredSettings

// A program that imports this module can name the key of a store.
@_exported public import struct OpenSSL.SealingKey

/// Seals the secrets in a store with AES-256-GCM.
public struct StoreSealer: SecretSealer {
    /// A name of the key that tells nothing about it.
    public let keyIdentifier: String

    private let key: SealingKey
    private let learn: @Sendable (_ secret: String) -> Void

    /// Makes a sealer; `learn` gets each secret that is sealed or opened, so that a log can redact it.
    ///
    /// - Throws: ``OpenSSL/SealingFailure`` if OpenSSL fails.
    public init(key: SealingKey, learn: @escaping @Sendable (_ secret: String) -> Void = { _ in }) throws {
        (self.key, self.learn) = (key, learn)
        keyIdentifier = String(try key.code(of: [], for: "key identifier").prefix(16))
    }

    /// Encrypts and authenticates `plain`.
    public func seal(_ plain: [UInt8], authenticating context: [UInt8]) throws -> [UInt8] {
        learn(String(decoding: plain, as: UTF8.self))
        return try key.seal(plain, authenticating: context)
    }

    /// Decrypts what ``seal(_:authenticating:)`` gave.
    public func open(_ sealed: [UInt8], authenticating context: [UInt8]) throws -> [UInt8] {
        let plain = try key.open(sealed, authenticating: context)
        learn(String(decoding: plain, as: UTF8.self))
        return plain
    }
}
