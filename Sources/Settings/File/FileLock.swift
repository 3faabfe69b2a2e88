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
