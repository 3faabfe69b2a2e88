/// Why a store of settings could not do what was asked.
///
/// The message is one sentence that names the file, scope or key that is meant and what can be done about it. It never
/// holds a stored value.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, for programs.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name of the code.
        public let rawValue: String

        /// Wraps a stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The store cannot be opened or reached.
        public static let unavailable = Code(rawValue: "unavailable")
        /// Another writer held the store for longer than the time allowed.
        public static let busy = Code(rawValue: "busy")
        /// The store, or the way in which it was opened, does not permit writing.
        public static let readOnly = Code(rawValue: "read_only")
        /// No space is left.
        public static let full = Code(rawValue: "full")
        /// The operating system failed to read or write.
        public static let inputOutput = Code(rawValue: "io")
        /// The stored bytes are damaged.
        public static let corrupted = Code(rawValue: "corrupted")
        /// A later version of the program wrote the store.
        public static let newerSchema = Code(rawValue: "newer_schema")
        /// The file belongs to something else.
        public static let foreignFile = Code(rawValue: "foreign_file")
        /// Secrets were sealed with another key than the one given.
        public static let wrongKey = Code(rawValue: "wrong_key")
        /// A secret is to be read or written and no key was given.
        public static let noKey = Code(rawValue: "no_key")
        /// The value has a shape that a store does not hold.
        public static let unsupportedValue = Code(rawValue: "unsupported_value")
        /// A stored value does not fit its key.
        public static let wrongType = Code(rawValue: "wrong_type")
        /// A value that was assigned is outside the constraints of its setting.
        public static let invalidValue = Code(rawValue: "invalid_value")
        /// The name of a scope or key is empty, too long, or has control characters.
        public static let invalidName = Code(rawValue: "invalid_name")
        /// The scope does not exist.
        public static let notFound = Code(rawValue: "not_found")
        /// The scope exists already.
        public static let exists = Code(rawValue: "exists")
        /// The store was closed.
        public static let closed = Code(rawValue: "closed")
    }

    /// What kind of failure it is.
    public let code: Code
    /// One sentence for people.
    public let message: String
    /// The result code of the underlying library, where there is one.
    public let underlyingCode: Int32?

    /// Describes a failure; `message` must not hold a stored value.
    public init(_ code: Code, _ message: String, underlyingCode: Int32? = nil) {
        self.code = code
        self.message = message
        self.underlyingCode = underlyingCode
    }

    /// The error of a store, which may have types of its own.
    init(_ error: any Error) {
        self = error as? SettingsError ?? SettingsError(.unavailable, "the store failed: \(error)")
    }

    /// The message.
    public var description: String { message }
}
