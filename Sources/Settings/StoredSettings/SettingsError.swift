import Platform

/// Why a store of settings could not do what was asked.
///
/// The message is one sentence that names the file, scope or key and what to do. It never holds a stored value.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is, for programs.
    public enum Code: String, Sendable {
        /// The store cannot be opened or reached.
        case unavailable
        /// Another writer held the store for longer than the time allowed.
        case busy
        /// The store, or the way in which it was opened, does not permit writing.
        case readOnly = "read_only"
        case full
        /// The operating system failed to read or write.
        case inputOutput = "io"
        case corrupted
        /// A later version of the program wrote the store.
        case newerSchema = "newer_schema"
        /// The file belongs to something else.
        case foreignFile = "foreign_file"
        /// Secrets were sealed with another key than the one given.
        case wrongKey = "wrong_key"
        /// A secret is to be read or written and no key was given.
        case noKey = "no_key"
        /// The value has a shape that a store does not hold.
        case unsupportedValue = "unsupported_value"
        /// A stored value does not fit its key.
        case wrongType = "wrong_type"
        /// A value that was assigned is outside the constraints of its setting.
        case invalidValue = "invalid_value"
        /// The name of a scope or key is empty, too long, or has control characters.
        case invalidName = "invalid_name"
        /// There is no such scope.
        case notFound = "not_found"
        /// There is a scope of that name.
        case exists
        case closed
        /// Another process that shares the store owns the settings.
        case notOwned = "not_owned"
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

    /// A store may throw errors of its own, and those of the system's calls.
    package init(_ error: any Error) {
        guard let failure = error as? SystemFailure else {
            self = error as? SettingsError ?? SettingsError(.unavailable, "the store failed: \(error)")
            return
        }
        let code: Code =
            switch failure.code {
            // A limit on the size of files (EFBIG) stops a writer as a full disk does.
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS, EACCES, EPERM: .readOnly
            case EIO: .inputOutput
            default: .unavailable
            }
        self.init(code, failure.message, underlyingCode: failure.code)
    }

    /// Runs calls of the system, whose failures are those of a store.
    package static func wrapping<Result>(_ calls: () throws -> Result) throws(SettingsError) -> Result {
        do { return try calls() } catch { throw SettingsError(error) }
    }

    /// The message.
    public var description: String { message }
}
