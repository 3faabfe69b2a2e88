import Foundation

/// Why this user cannot use a state folder: the file or folder in the way, and the situation.
struct StateFault {
    let path: String
    let folder: String
    private(set) var situation: Situation

    /// The first fault of the files and folders that are needed, each with its rights (access(2)); nil if there is none.
    ///
    /// A file that does not exist is no fault.
    init?(of needed: [(path: String, rights: CInt)], in folder: String) {
        for (path, rights) in needed where access(path, rights) != 0 {
            let code = errno
            guard [EACCES, EROFS].contains(code) else { continue }
            (self.path, self.folder) = (path, folder)
            let me = geteuid()
            situation =
                switch FileStatus(path)?.user {
                case _ where code == EROFS: .stateFolderReadOnly
                // The mode keeps out even the owner.
                case me?: .stateFolderClosed
                // It was given to another user, as by a copy of root's.
                case _? where path != folder && FileStatus(folder)?.user == me: .stateFileForeign
                case _? where Self.isOfPackage(folder): .stateFileForeign
                default: .stateFolderDenied
                }
            return
        }
        return nil
    }

    /// A folder of another user.
    init(of folder: String) {
        (path, self.folder) = (folder, folder)
        situation = Self.isOfPackage(folder) ? .stateFileForeign : .stateFolderDenied
    }

    /// Whether the package made this folder for the user of this process.
    private static func isOfPackage(_ folder: String) -> Bool {
        folder == StateDirectory.ofService && ServiceOwner.ofPackage?.isMe == true
    }

    /// Takes another user's folder for one that was given away, because a bridge of this user runs on it.
    mutating func giveAway() {
        if situation == .stateFolderDenied, FileStatus(path) != nil { situation = .stateFileForeign }
    }

    var finding: Finding {
        let status = FileStatus(FileStatus.visible(path))
        let owner = status.map { ServiceOwner.name(of: $0.user) } ?? "another user"
        // sudo takes the number of a user without a name after a number sign.
        let name = UInt32(owner) == nil ? owner : "'#\(owner)'"
        let values = [
            "path": situation == .stateFolderReadOnly ? folder : path, "folder": folder, "owner": owner,
            "user": ServiceOwner.name(of: geteuid()), "mode": String((status?.mode ?? 0) & 0o777, radix: 8),
            "sudo -u owner printer2mqtt": ServiceOwner(of: path)?.command ?? "sudo -u \(name) printer2mqtt",
        ]
        return Finding(situation, values)
    }
}
