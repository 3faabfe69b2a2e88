public import Foundation

/// What a retained topic is to say.
public struct RetainedMessage: Sendable, Hashable {
    /// The payload; never empty, because that would clear the topic.
    public var payload: String
    /// When it stops being true unless it is renewed; nil for never.
    ///
    /// A later time is a renewal, and so a difference.
    public var validUntil: Date?

    /// Describes a message.
    public init(_ payload: String, validUntil: Date? = nil) {
        self.payload = payload
        self.validUntil = validUntil
    }

    /// Hashes the payload's bytes; the standard hash of text looks for canonically equivalent characters.
    public func hash(into hasher: inout Hasher) {
        var payload = payload
        payload.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(validUntil)
    }
}

/// Retained messages by topic.
public typealias TopicTree = [String: RetainedMessage]
