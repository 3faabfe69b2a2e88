import CFileBirth
import Foundation
import Settings

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file of a store, which nobody but its owner may read.
struct StoreFile {
    let path: String

    var exists: Bool { access(path, F_OK) == 0 }

    var isEmpty: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0
    }

    /// When the file was made, as text; nil where the file system does not know.
    ///
    /// A copy has another one than what it is a copy of.
    var birth: String? {
        let birth = file_birth(path)
        return birth == 0 ? nil : String(birth)
    }

    /// Makes the directory (0700) where it is missing, and the file (0600) with what `fill` puts into it.
    ///
    /// The file gets its name only when it is whole: an empty file of that name was damaged, and is not taken for a new
    /// one. If two do this at a time, the first one's file stays.
    func create(fill: (String) throws -> Void) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw SettingsError(
                .unavailable,
                "the directory \(directory) cannot be made: \(error.localizedDescription)"
            )
        }
        let draft = "\(path).\(UUID().uuidString)"
        try sync(draft, O_CREAT | O_EXCL | O_RDWR)
        defer { for name in [draft, draft + "-wal", draft + "-shm"] { unlink(name) } }
        try fill(draft)
        try sync(draft, O_RDWR)
        // Some file systems have no links; a name that is taken meanwhile is lost there.
        if link(draft, path) != 0, errno != EEXIST, rename(draft, path) != 0 {
            throw SettingsError.system("cannot be made", path)
        }
        try sync(directory, O_RDONLY)
    }

    /// Flushes a file, or the names in a directory, so that it outlasts a power cut.
    private func sync(_ name: String, _ flags: Int32) throws {
        let descriptor = open(name, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SettingsError.system("cannot be made", path) }
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// Refuses a file, or a directory, that cannot be written: SQLite would open it all the same, and fail later.
    func requireWritable() throws {
        for name in [path, directory] where access(name, W_OK) != 0 {
            throw SettingsError.system("cannot be written", name)
        }
    }

    private var directory: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// Takes away what group and others may do, of the file and of those that SQLite keeps beside it.
    func restrict() throws {
        for name in [path, path + "-wal", path + "-shm"] { try restrictToOwner(name) }
    }
}
