import CFileBirth
import Foundation
import Platform
import StoredSettings

/// The file of a store, which only its owner may read.
struct StoreFile {
    let path: String

    private var directory: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    var exists: Bool { access(path, F_OK) == 0 }

    var isEmpty: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0
    }

    /// The time of birth, which differs for a copy; nil where the file system has none.
    var birth: String? {
        let birth = file_birth(path)
        return birth == 0 ? nil : String(birth)
    }

    /// The number of the last commit, in an extended attribute: a backup that is copied over the contents does not change it.
    var mark: Int {
        get { Int(file_mark(path)) }
        nonmutating set { set_file_mark(path, Int64(newValue)) }
    }

    /// Makes the directory (0700) where it is missing, and the file (0600) with what `fill` puts into it.
    ///
    /// The file gets its name when it is complete, so an empty file of that name is damaged and not new. If two processes do
    /// this at once, the first file stays.
    func create(fill: (String) throws -> Void) throws {
        try makePrivateDirectory(directory)
        let draft = "\(path).\(UUID().uuidString)"
        try Descriptor(draft, O_CREAT | O_EXCL | O_RDWR).flush()
        defer { for name in [draft, draft + "-wal", draft + "-shm"] { unlink(name) } }
        try fill(draft)
        try Descriptor(draft, O_RDWR).flush()
        // Some file systems have no links; a rename replaces the file of a quicker process there.
        if link(draft, path) != 0, errno != EEXIST, rename(draft, path) != 0 {
            throw SettingsError.system("cannot be made", path)
        }
        try Descriptor(directory, O_RDONLY).flush()
    }

    /// Refuses a file or a directory that cannot be written: SQLite opens it and fails later.
    func requireWritable() throws {
        for name in [path, directory] where access(name, W_OK) != 0 {
            throw SettingsError.system("cannot be written", name)
        }
    }

    /// Takes away what group and others may do with the file and with those that SQLite keeps beside it.
    func restrict() throws {
        for name in [path, path + "-wal", path + "-shm"] { try restrictToOwner(name) }
    }
}
