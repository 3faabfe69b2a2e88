/// Why a setting and its remote store are not in agreement.
///
/// The message is the rest of a sentence that may begin with the name of a setting or of a remote store. It never holds a value.
public struct SyncError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, for programs.
    public enum Code: String, Sendable {
        case offline
        /// Another account signed in meanwhile.
        case otherAccount = "other_account"
        case timedOut = "timed_out"
        case failed
        case quotaExceeded = "quota_exceeded"
        /// The value or its key is larger than the remote store takes.
        case tooLarge = "too_large"
        /// The remote store does not let this program write the key.
        case notPermitted = "not_permitted"
        /// The remote store has a value that does not fit the setting.
        case unacceptable
        /// The settings have no store that could remember what was sent.
        case noStore = "no_store"

        /// Whether the values are at fault and not the way to the remote store.
        public var isRefusal: Bool { [.quotaExceeded, .tooLarge, .notPermitted].contains(self) }
    }

    /// What kind of failure it is.
    public let code: Code
    /// What is wrong, for people.
    public let message: String

    /// Describes a failure; `message` must not hold a value.
    public init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// The remote store cannot be reached.
    public static let offline = SyncError(.offline, "cannot be reached; changes are sent when it can")

    func about(_ subject: String) -> SyncError { SyncError(code, "\(subject) \(message)") }

    /// The message.
    public var description: String { message }
}
