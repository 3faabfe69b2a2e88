import Foundation
import Platform
import StoredSettings

/// The file of a store, which only its owner may read.
struct DatabaseFile {
    let path: String

    var exists: Bool { access(path, F_OK) == 0 }

    var isEmpty: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0
    }

    /// Makes the directory (0700) where it is missing, and the file (0600) with what `fill` puts into it.
    ///
    /// The file gets its name when it is complete, so an empty file of that name is damaged and not new.
    func create(fill: (String) throws -> Void) throws {
        try makePrivateDirectory(directory(of: path))
        try makePrivateFile(path, mayReplace: true) { draft in
            defer { for name in [draft + "-wal", draft + "-shm"] { unlink(name) } }
            try fill(draft)
        }
    }

    /// Whether the file and its directory can be written; SQLite opens other files too, and fails later.
    var isWritable: Bool { access(path, W_OK) == 0 && access(directory(of: path), W_OK) == 0 }

    /// The path or URI with which a connection that only reads opens the file.
    ///
    /// SQLite needs an index file beside a log to read it. Where it cannot make one, only a file without a log can be read.
    func readingPath() throws -> String {
        if isWritable || access(path + "-shm", F_OK) == 0 { return path }
        var log = stat()
        guard stat(path + "-wal", &log) != 0 || log.st_size == 0 else {
            let reason = "the last changes of \(path) are in its log, and this place permits no writing"
            throw SettingsError(.readOnly, "\(reason): open the store once where it can be written")
        }
        return URL(fileURLWithPath: path).absoluteString + "?immutable=1"
    }

    /// Restricts the file, and those that SQLite keeps beside it, to their owner.
    func restrict() throws {
        for name in [path, path + "-wal", path + "-shm"] { try restrictToOwner(name) }
    }
}
