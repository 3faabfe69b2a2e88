#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files of a store: itself, the last good copy, the lock, and drafts of the first two.
struct StoreFiles {
    /// The file, behind any symbolic links.
    let main: String
    /// The most bytes that are read.
    let limit: Int

    var last: String { main + ".last" }
    var lock: String { main + ".lock" }
    var directory: String { FileSystem.directory(of: main) }

    /// Reads both files, and tells what was read apart from what comes later.
    func load() throws(SettingsError) -> (identity: FileIdentity?, copies: StoreCopies) {
        let (identity, copy) = try read(main)
        // The copy is looked at only when it is needed.
        if case .good = copy { return (identity, StoreCopies(main: copy, last: .missing)) }
        return (identity, StoreCopies(main: copy, last: try read(last).copy))
    }

    private func read(_ path: String) throws(SettingsError) -> (identity: FileIdentity?, copy: StoreCopies.Copy) {
        // Not blocked by a pipe in its place.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return (nil, .missing) }
            throw .system("cannot be read", path)
        }
        let file = OpenFile(path, adopting: descriptor)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SettingsError(.unavailable, "\(path) is no regular file")
        }
        let identity = FileIdentity(status)
        guard let bytes = try file.bytes(limit: limit) else { return (identity, .faulty(.tooLarge(limit: limit))) }
        do {
            return (identity, .good(try StoreDocument(fileBytes: bytes)))
        } catch {
            return (identity, .faulty(error))
        }
    }

    /// Writes both files, so that the first is on the disk and has its name when this returns; under the lock only.
    ///
    /// What fails before the file has its name leaves everything as it was.
    func write(_ document: StoreDocument) throws(SettingsError) -> FileIdentity {
        let bytes = document.fileBytes()
        guard bytes.count <= limit else {
            throw SettingsError(.full, "\(main) would have more than \(limit) bytes: raise the limit of the store")
        }
        let draft = main + ".new"
        let lastDraft = last + ".new"
        let identity = try FileSystem.create(draft, bytes, flushing: true, after: FileIdentity(main))
        do {
            // Needed only when the file is damaged one day; until then the system has long written it by itself.
            try FileSystem.create(lastDraft, bytes, flushing: false)
            try FileSystem.move(draft, to: main)
        } catch {
            unlink(draft)
            unlink(lastDraft)
            throw error
        }
        try FileSystem.move(lastDraft, to: last)
        try FileSystem.flush(directory: directory)
        return identity
    }

    /// Whether commits are known that a document does not have.
    func isBackup(_ document: StoreDocument) -> Bool {
        FileLock.lastCommit(of: lock).map { $0 > document.change } ?? false
    }

    /// Keeps a faulty file under another name; returns that name, or nil when there was no file.
    func putAside() throws(SettingsError) -> String? {
        guard FileSystem.exists(main) else { return nil }
        var number = 1
        while FileSystem.exists("\(main).damaged-\(number)") { number += 1 }
        let name = "\(main).damaged-\(number)"
        // A second name, so that the first never goes: a file system without links renames.
        if link(main, name) != 0 { try FileSystem.move(main, to: name) }
        return name
    }
}
