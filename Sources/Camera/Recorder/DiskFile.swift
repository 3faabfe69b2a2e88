import Foundation
import Platform

/// Files and folders of the recorder, readable by their owner alone.
enum DiskFile {
    /// Makes a folder unless it is there; if it `isShared`, with those above it, and readable for other users.
    static func makeFolder(_ path: String, isShared: Bool = false) throws {
        var isMade = mkdir(path, 0o700) == 0
        if !isMade, errno == ENOENT, isShared {
            try makeFolder(directory(of: path), isShared: true)
            isMade = mkdir(path, 0o700) == 0
        }
        guard isMade || errno == EEXIST else { throw SystemFailure() }
        if isMade, isShared { chmod(path, 0o755) }
    }

    static func contents(of path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    static func size(of path: String) -> Int { status(of: path).map { Int($0.st_size) } ?? 0 }

    /// When a file was written; nil without one.
    static func writtenAt(_ path: String) -> Date? {
        status(of: path).map { Date(timeIntervalSince1970: Double($0.st_mtim.tv_sec)) }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    static func text(of path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    /// Opens a file to read it: it stays the same if it gets another name.
    static func open(_ path: String) throws -> OpenFile { try OpenFile(path, O_RDONLY | O_NOFOLLOW) }

    /// Writes a file, or adds to it, and returns how many bytes were written.
    @discardableResult
    static func write(
        _ path: String,
        _ parts: some Sequence<[UInt8]>,
        appending: Bool = false,
        isDurable: Bool = true
    ) throws -> Int {
        let mode = appending ? O_APPEND : O_CREAT | O_TRUNC
        let file = try OpenFile(path, O_WRONLY | O_NOFOLLOW | mode)
        var total = 0
        for part in parts {
            try file.append(part)
            total += part.count
        }
        if isDurable { try file.flush() }
        return total
    }

    /// Copies a file to a new one, which its folder's readers may read, with a time of change.
    static func copy(_ path: String, to new: String, changedAt time: Int) throws {
        let (original, step) = (try open(path), 1 << 20)
        // Closed before its time is set: a network file system may write the last bytes at the close.
        do {
            let copy = try OpenFile(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644)
            // Also where the service keeps its other files to itself (umask).
            fchmod(copy.descriptor, 0o644)
            let size = Int(try original.status().st_size)
            for offset in stride(from: 0, to: size, by: step) {
                try copy.append(original.bytes(at: offset, count: min(step, size - offset)))
            }
            try copy.flush()
        }
        let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
        guard utimensat(AT_FDCWD, new, times, 0) == 0 else { throw SystemFailure() }
    }
}
