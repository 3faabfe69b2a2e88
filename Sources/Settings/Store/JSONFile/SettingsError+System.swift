#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension SettingsError {
    /// What a system call that failed means for whoever wanted to do something with `path`.
    ///
    /// - Parameters:
    ///   - what: What could not be done, as the rest of a sentence that begins with the path.
    ///   - path: The file or directory.
    ///   - code: The value of `errno`.
    /// - Returns: The error to throw.
    package static func system(_ what: String, _ path: String, _ code: Int32 = errno) -> SettingsError {
        let kind: Code =
            switch code {
            // A limit on the size of files (EFBIG) stops a writer as a full disk does.
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS, EACCES, EPERM: .readOnly
            case EIO: .inputOutput
            default: .unavailable
            }
        return SettingsError(kind, "\(path) \(what): \(String(cString: strerror(code)))", underlyingCode: code)
    }
}

/// Takes away what group and others may do with a file, unless there is no such file.
package func restrictToOwner(_ path: String) throws(SettingsError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    guard chmod(path, status.st_mode & 0o700) == 0 else {
        throw .system("can be read by others, and cannot be made readable by its owner only", path)
    }
}

/// Calls again what a signal interrupted.
func retryingInterrupts(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
