public import Foundation

/// What a retained topic is to say.
public struct RetainedMessage: Sendable, Hashable {
    /// The payload; never empty, because that would clear the topic.
    public let payload: String
    /// When it stops being true unless it is renewed; nil for never.
    ///
    /// A later time is a renewal, and so a difference.
    public let validUntil: Date?
    /// The hash, made once: what is published is compared by it, and payloads are long.
    let fingerprint: Int

    /// Describes a message.
    public init(_ payload: String, validUntil: Date? = nil) {
        self.payload = payload
        self.validUntil = validUntil
        // The bytes; the standard hash of text looks for canonically equivalent characters.
        var hasher = Hasher()
        var payload = payload
        payload.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(validUntil)
        fingerprint = hasher.finalize()
    }

    /// Hashes the fingerprint.
    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

/// Retained messages by topic.
public typealias TopicTree = [String: RetainedMessage]
