import Foundation

/// Small files that only their owner may read, written so that a crash leaves the old file or the new one.
enum PrivateFile {
    /// The text of a file; nil when there is none.
    static func read(_ path: String) throws -> String? {
        guard let status = FileStatus(path) else { return nil }
        guard status.isPrivate else {
            throw CommandFailure(.configuration, "\(path) can be read by others: run 'chmod 600 \(path)'")
        }
        // What is no text is for the caller to refuse.
        do { return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self) } catch {
            throw CommandFailure(
                .configuration,
                "\(path) can't be read: run printer2mqtt as the owner of this file"
            )
        }
    }

    /// Writes a file that did not exist; when another process was quicker, its file stays.
    static func create(_ path: String, _ text: String) throws { try create(path, Data(text.utf8)) }

    /// Writes a file that did not exist; when another process was quicker, its file stays.
    static func create(_ path: String, _ contents: Data) throws {
        // Not the process's number: in a container that is the same at every start, also after a crash.
        let temporary = "\(path).\(UUID().uuidString)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer { unlink(temporary) }
        do {
            guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: contents)
            try file.synchronize()
            guard link(temporary, path) == 0 || errno == EEXIST else { throw CocoaError(.fileWriteUnknown) }
            try synchronizeFolder(of: path)
        } catch {
            throw CommandFailure(
                .configuration,
                "\(path) can't be written: check the folder's owner and its free space"
            )
        }
    }

    /// The name is in the folder: it, too, must reach the disk before anything is sealed with what the file holds.
    private static func synchronizeFolder(of path: String) throws {
        let descriptor = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
