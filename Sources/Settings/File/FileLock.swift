#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Holds off every other writer of a store, in this process or another, until it goes.
struct FileLock: ~Copyable {
    private let file: OpenFile

    /// Waits for its turn; gives up after `timeout`.
    init(_ path: String, timeout: Duration) throws(SettingsError) {
        let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        try Self.lock(file.descriptor, path, timeout: timeout)
        self.file = file
    }

    /// The number of the last commit, which the file of the lock remembers; nil if there was none.
    var lastCommit: Int? { Self.lastCommit(in: file) }

    /// The same without the lock.
    static func lastCommit(of path: String) -> Int? {
        guard FileSystem.exists(path) else { return nil }
        do { return lastCommit(in: try OpenFile(path, O_RDONLY)) } catch { return nil }
    }

    private static func lastCommit(in file: borrowing OpenFile) -> Int? {
        guard lseek(file.descriptor, 0, SEEK_SET) == 0, let bytes = try? file.bytes(limit: 64) else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace })
    }

    /// Remembers the number of a commit that is durable; a number that is lost with the power only hides a backup.
    func note(_ commit: Int) {
        let digits = String(commit)
        let text = String(repeating: " ", count: max(0, 19 - digits.count)) + digits + "\n"
        _ = pwrite(file.descriptor, text, text.utf8.count, 0)
    }

    private static func lock(_ descriptor: Int32, _ path: String, timeout: Duration) throws(SettingsError) {
        let deadline = ContinuousClock.now + timeout
        var pause: UInt32 = 100
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                guard ContinuousClock.now < deadline else {
                    throw SettingsError(.busy, "\(path) is held by another writer that does not finish")
                }
                usleep(pause)
                // Quick at first, and not much of a load on those who wait long: at most 10 ms.
                pause = min(pause * 2, 10_000)
            default: throw .system("cannot be locked", path)
            }
        }
    }
}
