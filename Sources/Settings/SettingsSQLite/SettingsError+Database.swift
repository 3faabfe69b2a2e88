import GRDB
import Platform
import StoredSettings

extension SettingsError {
    /// Runs `body`, and wraps its error for the store at `path`.
    static func wrapping<Result>(path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw wrapping(error, path: path) }
    }

    /// What an error of SQLite or of the code above it means for the store at `path`.
    ///
    /// SQLite's messages name tables and columns, never values.
    static func wrapping(_ error: any Error, path: String) -> any Error {
        if error is RowDecodingError {
            return SettingsError(.corrupted, "the settings in \(path) are damaged: restore the file from a backup")
        }
        guard let error = error as? DatabaseError else { return error is SystemFailure ? SettingsError(error) : error }
        let underlying = error.extendedResultCode.rawValue
        func wrap(_ code: Code, _ message: String) -> SettingsError {
            SettingsError(code, message, underlyingCode: underlying)
        }
        let detail = error.message ?? "no details"
        let full = "no space is left to store settings in \(path)"
        return switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            wrap(.busy, "the settings in \(path) are in use by another writer that does not finish")
        case .SQLITE_FULL: wrap(.full, full)
        // On a full disk SQLite cannot make the file beside the database that its processes share.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: wrap(.full, full)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            wrap(.readOnly, "the settings in \(path) cannot be written (\(detail)): restart this program once they can")
        case .SQLITE_NOTADB:
            wrap(.corrupted, "\(path) is no store of settings, or is damaged: restore it from a backup or move it away")
        case .SQLITE_CORRUPT:
            wrap(.corrupted, "the settings in \(path) are damaged (\(detail)): restore the file from a backup")
        case .SQLITE_IOERR: wrap(.inputOutput, "reading or writing \(path) failed: \(detail)")
        case .SQLITE_CANTOPEN: wrap(.unavailable, "\(path) cannot be opened: \(detail)")
        case .SQLITE_MISUSE: wrap(.closed, "the store \(path) was closed")
        default: wrap(.unavailable, "the settings in \(path) cannot be used: \(detail)")
        }
    }
}
