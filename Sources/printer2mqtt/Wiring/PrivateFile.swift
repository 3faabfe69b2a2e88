import Foundation

/// Small files that only their owner may read, written so that a crash leaves the old file or the new one.
enum PrivateFile {
    /// The text of a file; nil when there is none.
    static func read(_ path: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do { return try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw CommandFailure(.configuration, "\(path) can't be read: its owner must be the one who runs printer2mqtt")
        }
    }

    /// Writes a file that did not exist; when another process was quicker, its file stays.
    static func create(_ path: String, _ text: String) throws {
        let temporary = "\(path).\(getpid())"
        defer { unlink(temporary) }
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
            try file.write(contentsOf: Data(text.utf8))
            try file.synchronize()
            guard link(temporary, path) == 0 || errno == EEXIST else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw CommandFailure(.configuration, "\(path) can't be written: check the folder's owner and its free space")
        }
    }
}
