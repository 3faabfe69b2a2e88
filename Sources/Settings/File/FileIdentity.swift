#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells whether a name still stands for the same bytes; nil for a file that is missing.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let node: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Looks at a name; nil when there is no such file, or none that can be looked at.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Takes what the system says of a file.
    init(_ status: stat) {
        device = UInt64(status.st_dev)
        node = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = time.tv_sec
        nanoseconds = time.tv_nsec
    }

    /// A date for what takes the place of the file: `now`, or the next moment after the file's own where the clock went back.
    func successor(at now: timespec) -> timespec {
        if (now.tv_sec, now.tv_nsec) > (seconds, nanoseconds) { return now }
        let isLast = nanoseconds >= 999_999_999
        return timespec(tv_sec: isLast ? seconds + 1 : seconds, tv_nsec: isLast ? 0 : nanoseconds + 1)
    }
}
