import Foundation

/// A file that one process holds at a time; the system gives it back when the process ends, however it ends.
struct ProcessLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; nil while another process has it.
    init?(ifFree path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw errno == EACCES
                ? CommandFailure.foreign(path)
                : CommandFailure(.configuration, "\(path) can't be written: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    /// Lets one bridge run on a store: two would probe every printer twice.
    static func ofBridge(on state: StateDirectory) throws -> ProcessLock {
        if let lock = try ProcessLock(ifFree: state.lockFile) { return lock }
        let message = "another printer2mqtt runs on this store: stop it, or name another folder with store.path"
        throw CommandFailure(.unavailable, message)
    }

    /// Whether a process holds the lock; the file stays as it is.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    func release() { close(descriptor) }
}
