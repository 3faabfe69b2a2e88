/// Makes a directory and those above it, for their owner only, where they are missing; an error has the advice.
package func makePrivateDirectory(_ path: String, advice: String = "") throws(SystemFailure) {
    let ownerOnly: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: ownerOnly)
    } catch {
        throw SystemFailure(of: path, "cannot be made" + advice)
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
    try OpenFile(new: draft).flush()
    defer { unlink(draft) }
    try fill(draft)
    try OpenFile(draft, O_RDWR).flush()
    guard link(draft, path) == 0 || errno == EEXIST || mayReplace && rename(draft, path) == 0 else {
        throw SystemFailure(of: path, "cannot be made")
    }
    try OpenFile(directory(of: path), O_RDONLY | O_DIRECTORY).flush()
}

/// Restricts a file to its owner, unless there is none, or the file system is read-only.
///
/// A folder or a device at this path keeps its mode: programs of other users may need it. With `allowsForeign`, a file of
/// another user keeps its mode, too.
package func restrictToOwner(_ path: String, allowsForeign: Bool = false) throws(SystemFailure) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else { return }
    let isForeign = allowsForeign && status.st_uid != geteuid()
    guard chmod(path, status.st_mode & 0o700) == 0 || errno == EROFS || isForeign && errno == EPERM else {
        throw SystemFailure(of: path, "can be read by others, and cannot be made readable by its owner only")
    }
}
