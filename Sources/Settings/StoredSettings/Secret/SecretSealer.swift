/// Seals secrets before a store writes them: authenticated encryption with a key that the store never sees.
public protocol SecretSealer: Sendable {
    /// A stable name of the key that says nothing about it, such as a truncated digest.
    ///
    /// A store remembers it, so that a wrong key is refused before anything is read or written.
    var keyIdentifier: String { get }

    /// Encrypts `plain`; `context` is not stored, and must be the same when the result is opened.
    func seal(_ plain: [UInt8], authenticating context: [UInt8]) throws -> [UInt8]

    /// Decrypts what ``seal(_:authenticating:)`` gave; throws when key, context or bytes are not the same.
    func open(_ sealed: [UInt8], authenticating context: [UInt8]) throws -> [UInt8]
}
