/// What is wrong with one value of a patch; never holds the value of a secret.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of fault it is, for programs.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name of the code.
        public let rawValue: String

        /// Wraps a stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no such setting.
        public static let unknownKey = Code(rawValue: "unknown_key")
        /// The value is of another kind.
        public static let wrongType = Code(rawValue: "wrong_type")
        /// The number is too small or too great.
        public static let outOfRange = Code(rawValue: "out_of_range")
        /// The text is too long.
        public static let tooLong = Code(rawValue: "too_long")
        /// The text is too short.
        public static let tooShort = Code(rawValue: "too_short")
        /// The value is none of those accepted.
        public static let invalidValue = Code(rawValue: "invalid_value")
    }

    /// The setting, by its name.
    public let path: String
    /// What kind of fault it is.
    public let code: Code
    /// What is expected, as the rest of a sentence that begins with the path.
    public let message: String

    /// Describes a fault; `message` must not hold the value of a secret.
    public init(path: String, code: Code, message: String) {
        self.path = path
        self.code = code
        self.message = message
    }

    /// Path and message; without a path the message alone.
    public var description: String { path.isEmpty ? message : "\(path) \(message)" }
}

/// All that is wrong with a patch, in the order of the paths.
public struct ValidationErrors: Error, Sendable, Hashable, CustomStringConvertible {
    /// The faults; never empty.
    public let faults: [ValidationError]

    /// Collects faults.
    public init(_ faults: [ValidationError]) { self.faults = faults }

    /// All messages in one line.
    public var description: String { faults.map(\.description).joined(separator: "; ") }
}
