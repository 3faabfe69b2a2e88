import Foundation

#if canImport(CDispatch)
    import CDispatch  // With the static runtime, the compiler finds `stat` in this module.
#endif

struct FileStatus {
    let user: uid_t
    let group: gid_t
    let mode: mode_t
    let inode: ino_t
    let size: off_t

    /// Nil if nothing can be seen at the path.
    init?(_ path: String, followsLink: Bool = true) {
        var status = stat()
        guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        (user, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
        (inode, size) = (status.st_ino, status.st_size)
    }

    /// The path, or the nearest folder above it that exists and that this user can see.
    static func visible(_ path: String) -> String {
        var path = path
        while FileStatus(path) == nil, path.count > 1 { path = (path as NSString).deletingLastPathComponent }
        return path.isEmpty ? "." : path
    }

    var isPrivate: Bool { mode & 0o077 == 0 }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    var isEmptyFile: Bool { mode & S_IFMT == S_IFREG && size == 0 }
}
