/// Why a secret could not be sealed or opened.
public struct SealingFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Sendable {
        /// A key of a wrong length.
        case keyLength = "key_length"
        /// Shorter than a nonce and a tag.
        case tooShort = "too_short"
        /// Changed since it was sealed, sealed with another key, or for another purpose.
        case notAuthentic = "not_authentic"
        /// Longer than AES-GCM takes in one message here, 2 GiB.
        case tooLong = "too_long"
    }

    /// The kind.
    public let code: Code
    /// One sentence, without anything secret.
    public let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// The message.
    public var description: String { message }
}
