import Foundation

/// A file system in memory, mounted as long as the test holds it; root only.
package final class SmallFileSystem: Sendable {
    package static let isPossible: Bool = (try? SmallFileSystem(kilobytes: 16)) != nil

    private let directory: TemporaryDirectory

    package var path: String { directory.url.path }

    package init(kilobytes: Int) throws {
        directory = try TemporaryDirectory()
        guard mount("tmpfs", directory.url.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            throw TestFailure("no file system can be mounted: \(errno)")
        }
    }

    /// Writes a file that leaves no room.
    package func fill(_ path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        while (try? file.write(contentsOf: Data(count: 1000))) != nil {}
        try file.close()
    }

    /// Permits no writing any more; nothing may have a file open for writing.
    ///
    /// It waits for processes that other tests just started: until they run their program, they hold our open files.
    package func seal() async throws {
        for _ in 0..<100 {
            if mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0 { return }
            guard errno == EBUSY else { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw TestFailure("the file system cannot be made read-only: \(errno)")
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
