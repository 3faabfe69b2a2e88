/// Why bytes are not JSON that is accepted here; says where, and never what stood there.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of fault it is.
    package enum Code: String, Sendable, Hashable {
        /// More bytes than ``JSONLimits/bytes``.
        case tooLarge = "too_large"
        /// More nesting than ``JSONLimits/depth``.
        case tooDeep = "too_deep"
        /// Not JSON (RFC 8259), or not UTF-8.
        case invalid
        /// A name occurs twice in one object, so that its meaning would depend on the reader.
        case duplicateName = "duplicate_name"
        /// A number that not even a `Double` holds.
        case numberTooLarge = "number_too_large"
    }

    /// What kind of fault it is.
    package let code: Code
    /// The byte, counted from 0, at which it was noticed.
    package let offset: Int
    /// One sentence for people.
    package let message: String

    init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    /// The message.
    package var description: String { message }
}

/// How much JSON is read from a sender that is not trusted.
package struct JSONLimits: Sendable, Hashable {
    /// The most bytes.
    package var bytes: Int
    /// The most lists and objects inside one another, at most 512; 1 permits one level only.
    package var depth: Int

    /// 64 KiB and 32 levels, unless told.
    package init(bytes: Int = 65_536, depth: Int = 32) {
        self.bytes = bytes
        self.depth = min(depth, 512)
    }

    /// What was written by a store was accepted before, and is read whole.
    package static let stored = JSONLimits(bytes: .max, depth: 512)
}
