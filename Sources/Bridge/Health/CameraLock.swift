#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One probe of a camera at a time, over all processes that share a file: the bridge and the commands beside it.
///
/// A byte of the file stands for a camera, locked by record (POSIX, `fcntl`): nothing is written, and the system gives back
/// what a process held. Within one process it excludes nobody.
public final class CameraLock: Sendable {
    /// How long another process is waited for: longer than any probe takes.
    private static let patience = Duration.seconds(30)
    private static let pause = Duration.milliseconds(50)

    private let file: Int32

    /// Uses the file at `path`, which is made; where it cannot be, nobody is waited for.
    public init(path: String) { file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }

    deinit { if file >= 0 { close(file) } }

    /// Runs `body` while no other process probes the camera at an endpoint, or has done so for half a minute.
    func alone<Result>(with endpoint: String, _ body: () async -> Result) async -> Result {
        let end = ContinuousClock.now + Self.patience
        let byte = Self.byte(endpoint)
        while !set(F_WRLCK, byte), ContinuousClock.now < end, !Task.isCancelled {
            try? await Task.sleep(for: Self.pause)
        }
        defer { _ = set(F_UNLCK, byte) }
        return await body()
    }

    /// False while another process has it.
    private func set(_ type: Int32, _ byte: Int64) -> Bool {
        guard file >= 0 else { return true }
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(byte)
        lock.l_len = 1
        return fcntl(file, F_SETLK, &lock) == 0 || errno != EAGAIN && errno != EACCES
    }

    /// The same in each process (FNV-1a).
    private static func byte(_ endpoint: String) -> Int64 {
        let hash = endpoint.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Int64(hash >> 2)
    }
}
