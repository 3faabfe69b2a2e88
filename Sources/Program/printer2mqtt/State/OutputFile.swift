import Foundation
import Platform

/// A file that a command writes at its end, and opens at its beginning.
///
/// A process of root becomes the service's user when it opens the store, and that user may neither make a file where the
/// command was typed nor remove it.
struct OutputFile {
    private let handle: FileHandle
    private let path: String?
    private let isNew: Bool

    /// Opens a file, which keeps its content until ``write(_:)``, or makes it; standard output without a path.
    ///
    /// Where the file must be new, an empty one may be there: it is replaced.
    init(_ path: String?, mode: mode_t, mustBeNew: Bool = false) throws {
        self.path = path
        guard let path else {
            (handle, isNew) = (.standardOutput, false)
            return
        }
        // A command of root cannot remove its new file when it fails as the service's user.
        if mustBeNew, FileStatus(path, followsLink: false)?.isEmptyFile == true { unlink(path) }
        var descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        isNew = descriptor >= 0
        if !isNew, errno == EEXIST, !mustBeNew { descriptor = open(path, O_WRONLY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "exists already: name another file" : "\(SystemFailure())"
            throw CommandFailure(.usage, "\(path) cannot be written: \(reason)")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Replaces what a file holds by what `content` gives, down to the disk; a new file that cannot be written is removed.
    func write(_ content: () async throws -> Data) async throws {
        var isWritten = false
        defer {
            if !isWritten, isNew, let path {
                // As the service's user only this works, and an empty file is replaced by the next command.
                ftruncate(handle.fileDescriptor, 0)
                unlink(path)
            }
        }
        let data = try await content()
        do {
            // A pipe or a device has no length, and no disk.
            if path != nil { _ = ftruncate(handle.fileDescriptor, 0) }
            try handle.write(contentsOf: data)
            if path != nil, fsync(handle.fileDescriptor) != 0, errno != EINVAL { throw SystemFailure() }
        } catch {
            throw CommandFailure(.unavailable, "\(path ?? "standard output") cannot be written: \(error.systemText)")
        }
        isWritten = true
    }
}
