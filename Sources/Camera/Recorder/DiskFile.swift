import Foundation
import Platform

/// Files and folders of the recorder, readable by their owner alone.
enum DiskFile {
    /// Makes a folder unless it is there; other users may read it if it `isShared`.
    static func makeFolder(_ path: String, isShared: Bool = false) throws {
        guard mkdir(path, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw SystemFailure()
        }
        if isShared { chmod(path, 0o755) }
    }

    static func contents(of path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    static func size(of path: String) -> Int {
        var info = stat()
        return stat(path, &info) == 0 ? Int(info.st_size) : 0
    }

    /// When a file was written; nil without one.
    static func writtenAt(_ path: String) -> Date? {
        var info = stat()
        return stat(path, &info) == 0 ? Date(timeIntervalSince1970: Double(info.st_mtim.tv_sec)) : nil
    }

    static func text(of path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    /// Writes a file, or adds to it, and returns how many bytes were written.
    @discardableResult
    static func write(
        _ path: String,
        _ parts: some Sequence<[UInt8]>,
        appending: Bool = false,
        isDurable: Bool = true
    ) throws -> Int {
        let mode = appending ? O_APPEND : O_CREAT | O_TRUNC
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | mode, 0o600)
        guard file >= 0 else { throw SystemFailure() }
        defer { close(file) }
        var total = 0
        for part in parts {
            var rest = part[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Platform.write(file, $0.baseAddress, $0.count) }
                guard count > 0 || count < 0 && errno == EINTR else { throw SystemFailure() }
                rest = rest.dropFirst(max(count, 0))
            }
            total += part.count
        }
        guard !isDurable || fsync(file) == 0 else { throw SystemFailure() }
        return total
    }

    /// Copies a file to a new one, which its folder's readers may read, with a time of change.
    static func copy(_ path: String, to new: String, changedAt time: Int) throws {
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard file >= 0 else { throw SystemFailure() }
        // Also where the service keeps its other files to itself (umask).
        fchmod(file, 0o644)
        close(file)
        let (original, step) = (try OpenFile(path), 1 << 20)
        for offset in stride(from: 0, to: original.size, by: step) {
            let part = try original.bytes(at: offset, count: min(step, original.size - offset))
            try write(new, [part], appending: true, isDurable: offset + step >= original.size)
        }
        let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
        guard utimensat(AT_FDCWD, new, times, 0) == 0 else { throw SystemFailure() }
    }
}

/// A file that is read: it stays the same if it gets another name.
final class OpenFile: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw SystemFailure() }
    }

    deinit { close(descriptor) }

    var size: Int {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? Int(info.st_size) : 0
    }

    /// The bytes of a part; throws if some of them are missing.
    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
            }
            guard read > 0 || read < 0 && errno == EINTR else { throw SystemFailure(read < 0 ? errno : ENODATA) }
            done += max(read, 0)
        }
        return bytes
    }
}
