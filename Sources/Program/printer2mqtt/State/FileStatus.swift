import Foundation

#if canImport(CDispatch)
    import CDispatch  // With the static runtime, the compiler finds `stat` in this module.
#endif

struct FileStatus {
    let user: uid_t
    let group: gid_t
    let mode: mode_t
    let inode: ino_t

    /// Nil if nothing can be seen at the path.
    init?(_ path: String, followsLink: Bool = true) {
        var status = stat()
        guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        (user, group, mode, inode) = (status.st_uid, status.st_gid, status.st_mode, status.st_ino)
    }

    /// The path, or the nearest folder above it that exists and that this user can see.
    static func visible(_ path: String) -> String {
        var path = path
        while FileStatus(path) == nil, path.count > 1 { path = (path as NSString).deletingLastPathComponent }
        return path.isEmpty ? "." : path
    }

    var isPrivate: Bool { mode & 0o077 == 0 }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
}
