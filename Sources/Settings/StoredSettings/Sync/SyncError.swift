/// Why a setting and its remote store are not in agreement.
///
/// The message is the rest of a sentence that may begin with the name of a setting or of a remote store; it says what can be
/// done about it, and never holds a value.
public struct SyncError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, for programs.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name of the code.
        public let rawValue: String

        /// Wraps a stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The remote store cannot be reached.
        public static let offline = Code(rawValue: "offline")
        /// No account is signed in.
        public static let noAccount = Code(rawValue: "no_account")
        /// Another account signed in meanwhile.
        public static let otherAccount = Code(rawValue: "other_account")
        /// The remote store did not answer in time.
        public static let timedOut = Code(rawValue: "timed_out")
        /// The remote store failed.
        public static let failed = Code(rawValue: "failed")
        /// The remote store has no room for it.
        public static let quotaExceeded = Code(rawValue: "quota_exceeded")
        /// The value or its key is larger than the remote store takes.
        public static let tooLarge = Code(rawValue: "too_large")
        /// The remote store does not let this program write the key.
        public static let notPermitted = Code(rawValue: "not_permitted")
        /// The remote store has a value that does not fit the setting.
        public static let unacceptable = Code(rawValue: "unacceptable")
        /// The settings have no store that could remember what was sent.
        public static let noStore = Code(rawValue: "no_store")

        /// Whether the values are at fault and not the way to the remote store.
        public var isRefusal: Bool { [.quotaExceeded, .tooLarge, .notPermitted].contains(self) }
    }

    /// What kind of failure it is.
    public let code: Code
    /// What is wrong, for people.
    public let message: String

    /// Describes a failure; `message` must not hold a value.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The remote store cannot be reached.
    public static let offline = SyncError(.offline, "cannot be reached; changes are sent when it can")

    /// The same failure with a subject before its message.
    func about(_ subject: String) -> SyncError { SyncError(code, "\(subject) \(message)") }

    /// The message.
    public var description: String { message }
}
