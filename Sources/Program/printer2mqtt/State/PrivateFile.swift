import Foundation
import Platform

/// Small files that only their owner may read, written so that a crash leaves the old file or the new one.
enum PrivateFile {
    /// The text of a file; nil when there is none.
    static func read(_ path: String) throws -> String? {
        guard let status = FileStatus(path) else { return nil }
        guard status.isPrivate else {
            throw CommandFailure(.configuration, "\(path) can be read by others: run 'chmod 600 \(path)'")
        }
        // The caller refuses content that is not valid text.
        do { return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self) } catch {
            guard access(path, R_OK) == 0 else { throw CommandFailure.foreign(path) }
            throw CommandFailure(.configuration, "\(path) can't be read: \(error.systemText)")
        }
    }

    static func create(_ path: String, _ text: String) throws { try create(path, Array(text.utf8)) }

    /// Writes a file that did not exist; when another process was quicker, its file stays.
    static func create(_ path: String, _ contents: [UInt8]) throws {
        do { try makePrivateFile(path) { try OpenFile($0, O_WRONLY).append(contents) } } catch {
            throw CommandFailure.unwritable(path, error)
        }
    }
}
