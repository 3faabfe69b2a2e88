import Platform

/// An open file; it closes itself.
package struct Descriptor: ~Copyable {
    let number: Int32
    private let path: String

    /// Opens a file; one that it makes is for its owner only.
    package init(_ path: String, _ flags: Int32) throws(SettingsError) {
        self.path = path
        number = open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .system("cannot be opened", path) }
        if flags & O_EXCL != 0, geteuid() == 0 { giveToOwner(ofFolder: directory(of: path)) }
    }

    /// Gives a file that root has made to the owner of its folder: else the owner's programs could not open it afterwards.
    private func giveToOwner(ofFolder folder: String) {
        var status = stat()
        // File systems without owners refuse it.
        if stat(folder, &status) == 0 { _ = fchown(number, status.st_uid, status.st_gid) }
    }

    deinit { close(number) }

    func status() throws(SettingsError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .system("cannot be looked at", path) }
        return status
    }

    package func bytes() throws(SettingsError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = retryingInterrupts { pread(number, &chunk, chunk.count, off_t(bytes.count)) }
            guard count >= 0 else { throw .system("cannot be read", path) }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
        }
    }

    /// Writes all bytes, and waits until the disk has them.
    package func append(_ bytes: [UInt8]) throws(SettingsError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                retryingInterrupts { write(number, buffer.baseAddress, buffer.count) }
            }
            guard count >= 0 else { throw .system("cannot be written", path) }
            rest = rest.dropFirst(count)
        }
        try flush()
    }

    /// Flushes the file, or the names in a directory, to the disk.
    package func flush() throws(SettingsError) {
        guard retryingInterrupts({ Int(fsync(number)) }) == 0 else { throw .system("cannot be flushed", path) }
    }

    private func retryingInterrupts(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}

/// Makes a directory and those above it, for their owner only, where they are missing.
package func makePrivateDirectory(_ path: String) throws(SettingsError) {
    let ownerOnly: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: ownerOnly)
    } catch {
        throw .system("cannot be made", path)
    }
}

/// The absolute path of a file, which names the same file after the program has changed its working folder.
package func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
}

package func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Makes a file for its owner only, which gets its name when `fill` has written it under another one: a crash leaves no part.
///
/// If two processes do this at once, the first file stays. On a file system without links the call fails, unless the file of
/// a quicker process may be replaced.
package func makePrivateFile(_ path: String, mayReplace: Bool = false, fill: (_ draft: String) throws -> Void) throws {
    // Not the number of the process: in a container that is the same at every start, also after a crash.
    let draft = "\(path).\(UUID().uuidString)"
    try Descriptor(draft, O_CREAT | O_EXCL | O_RDWR).flush()
    defer { unlink(draft) }
    try fill(draft)
    try Descriptor(draft, O_RDWR).flush()
    guard link(draft, path) == 0 || errno == EEXIST || mayReplace && rename(draft, path) == 0 else {
        throw SettingsError.system("cannot be made", path)
    }
    try Descriptor(directory(of: path), O_RDONLY | O_DIRECTORY).flush()
}

/// Restricts a file to its owner; does nothing if there is no file, or if the file system cannot be written.
///
/// A folder or a device at this path keeps its mode: programs of other users may need it.
package func restrictToOwner(_ path: String) throws(SettingsError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else { return }
    guard chmod(path, status.st_mode & 0o700) == 0 || errno == EROFS else {
        throw .system("can be read by others, and cannot be made readable by its owner only", path)
    }
}

extension SettingsError {
    /// The error of a system call that failed; `what` is the rest of a sentence that begins with the path.
    package static func system(_ what: String, _ path: String, _ code: Int32 = errno) -> SettingsError {
        let kind: Code =
            switch code {
            // A limit on the size of files (EFBIG) stops a writer as a full disk does.
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS, EACCES, EPERM: .readOnly
            case EIO: .inputOutput
            default: .unavailable
            }
        return SettingsError(kind, "\(path) \(what): \(SystemFailure(code))", underlyingCode: code)
    }
}
