#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What stores of files ask of the operating system, beyond reading and writing.
enum FileSystem {
    /// The file behind a path, through symbolic links, also when it is not there yet.
    static func resolve(_ path: String) throws(SettingsError) -> String {
        var path = path
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let target = linkTarget(of: path) else { return path }
            path = target.hasPrefix("/") ? target : "\(directory(of: path))/\(target)"
        }
        throw .system("cannot be followed", path, ELOOP)
    }

    private static func linkTarget(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// The directory in which a file is.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Makes a directory and those above it, for their owner only, where they are missing.
    static func makeDirectory(_ path: String) throws(SettingsError) {
        if mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST where isDirectory(path): return
        case ENOENT where path != "/" && path != ".":
            try makeDirectory(directory(of: path))
            // Somebody else may have been quicker.
            guard mkdir(path, 0o700) == 0 || isDirectory(path) else { throw .system("cannot be made", path) }
        default: throw .system("cannot be made", path)
        }
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names of all that is in a directory.
    static func names(in directory: String) throws(SettingsError) -> [String] {
        guard let stream = opendir(directory) else { throw .system("cannot be listed", directory) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            )
        }
        return names
    }

    /// Takes away what group and others may do, unless there is no such file.
    static func restrict(_ path: String) throws(SettingsError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        guard chmod(path, status.st_mode & 0o700) == 0 else {
            throw .system("can be read by others, and cannot be made readable by its owner only", path)
        }
    }

    /// Gives a file another name, in place of whatever had it.
    static func move(_ path: String, to name: String) throws(SettingsError) {
        guard rename(path, name) == 0 else { throw .system("cannot be replaced", name) }
    }

    /// Waits until the names in a directory are on the disk.
    static func flush(directory: String) throws(SettingsError) {
        try OpenFile(directory, O_RDONLY | O_DIRECTORY).flush()
    }

    /// Removes a file, if it is there.
    static func remove(_ path: String) throws(SettingsError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system("cannot be removed", path) }
    }

    /// Writes a new file for its owner only, dated after the one whose place it is to take, and waits for the disk if that is
    /// wanted.
    @discardableResult
    static func create(
        _ path: String,
        _ bytes: [UInt8],
        flushing: Bool,
        after former: FileIdentity? = nil
    ) throws(SettingsError) -> FileIdentity {
        // What a process left that was killed.
        try remove(path)
        do {
            let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            try file.append(bytes)
            try file.stamp(after: former)
            if flushing { try file.flush() }
            return FileIdentity(try file.status())
        } catch {
            unlink(path)
            throw error
        }
    }
}
