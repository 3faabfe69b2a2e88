import Foundation

/// Why this user cannot use a state folder: the file or folder in the way, and the cause.
struct StateFault {
    enum Cause {
        /// The state folder belongs to another user.
        case denied
        /// This user's state folder, or a file in it, was given to another user, as by a copy of root's.
        case otherOwner
        /// The mode keeps out even the owner.
        case mode
        /// The file system is read-only, as after an error of the disk.
        case readOnly
    }

    let path: String
    let folder: String
    private(set) var cause: Cause

    /// The first fault of the files and folders that are needed, each with its rights (access(2)); nil if there is none.
    ///
    /// A file that does not exist is no fault.
    init?(of needed: [(path: String, rights: CInt)], in folder: String) {
        for (path, rights) in needed where access(path, rights) != 0 {
            let code = errno
            guard [EACCES, EROFS].contains(code) else { continue }
            (self.path, self.folder) = (path, folder)
            let me = geteuid()
            cause =
                switch FileStatus(path)?.user {
                case _ where code == EROFS: .readOnly
                case me?: .mode
                case _? where path != folder && FileStatus(folder)?.user == me: .otherOwner
                case _? where Self.isOfPackage(folder): .otherOwner
                default: .denied
                }
            return
        }
        return nil
    }

    /// A folder of another user.
    init(of folder: String) {
        (path, self.folder) = (folder, folder)
        cause = Self.isOfPackage(folder) ? .otherOwner : .denied
    }

    /// Whether the package made this folder for the user of this process.
    private static func isOfPackage(_ folder: String) -> Bool {
        folder == StateDirectory.ofService && ServiceOwner.ofPackage?.isMe == true
    }

    /// Takes another user's folder for one that was given away, because a bridge of this user runs on it.
    mutating func giveAway() {
        if cause == .denied, FileStatus(path) != nil { cause = .otherOwner }
    }

    var finding: Finding {
        let status = FileStatus(FileStatus.visible(path))
        let owner = status.map { ServiceOwner.name(of: $0.user) } ?? "another user"
        let user = ServiceOwner.name(of: geteuid())
        switch cause {
        case .denied:
            // sudo takes the number of a user without a name after a number sign.
            let name = UInt32(owner) == nil ? owner : "'#\(owner)'"
            let command = ServiceOwner(of: path)?.command ?? "sudo -u \(name) printer2mqtt"
            let values = ["path": path, "owner": owner, "user": user, "sudo -u owner printer2mqtt": command]
            return Finding(.stateFolderDenied, values)
        case .otherOwner:
            return Finding(.stateFileForeign, ["path": path, "folder": folder, "owner": owner, "user": user])
        case .mode:
            let mode = String((status?.mode ?? 0) & 0o777, radix: 8)
            return Finding(.stateFolderClosed, ["path": path, "mode": mode])
        case .readOnly: return Finding(.stateFolderReadOnly, ["path": folder])
        }
    }
}
