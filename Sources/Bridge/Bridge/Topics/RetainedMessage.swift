package import Foundation
import JSON

package struct RetainedMessage: Sendable, Equatable {
    /// The payload; never empty, because that would clear the topic.
    let bytes: [UInt8]
    /// When it expires, nil for never; with another time it is another message.
    package let validUntil: Date?
    /// The hash, made once: what is published is compared by it, and payloads are long.
    let fingerprint: Int

    /// A message of bytes, which are UTF-8.
    init(_ bytes: [UInt8], validUntil: Date? = nil) {
        self.bytes = bytes
        self.validUntil = validUntil
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(validUntil)
        fingerprint = hasher.finalize()
    }

    package init(_ text: String, validUntil: Date? = nil) { self.init(Array(text.utf8), validUntil: validUntil) }

    init(_ document: JSONValue, validUntil: Date? = nil) { self.init(document.jsonBytes(), validUntil: validUntil) }

    package var payload: String { String(decoding: bytes, as: UTF8.self) }
}

package typealias TopicTree = [String: RetainedMessage]
