import Foundation
import Platform

/// A file that one process holds at a time; the system gives it back when the process ends, however it ends.
struct ProcessLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; nil while another process has it.
    init?(ifFree path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EACCES { throw CommandFailure.foreign(path) }
            let failure = SystemFailure(of: path, "can't be written")
            throw CommandFailure(.init(writing: failure), failure.message)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    /// Lets one bridge run on a store: two would probe every printer twice.
    static func ofBridge(on state: StateDirectory) throws -> ProcessLock {
        // ``isHeld(_:)`` holds the lock for a moment, so that one failed try does not mean that a bridge runs.
        for _ in 0..<5 {
            if let lock = try ProcessLock(ifFree: state.lockFile) { return lock }
            usleep(10_000)
        }
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

    /// The folder in /proc of the process that holds the lock, as far as this user sees it; nil if none is seen.
    static func holder(of path: String) -> String? {
        guard let file = FileStatus(path), let locks = FileManager.default.contents(atPath: "/proc/locks") else {
            return nil
        }
        // proc_locks(5): number, kind, mode, access, process, device and inode, range. Btrfs has other devices in stat(2).
        let rows = String(decoding: locks, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        let holders = rows.filter { $0.count > 5 && $0[1] == "FLOCK" && $0[5].hasSuffix(":\(file.inode)") }
        return holders.count == 1 ? "/proc/\(holders[0][4])" : nil
    }

    func release() { close(descriptor) }
}
