import Foundation
import Printers

/// Why this user cannot use a state folder: the file or folder in the way, and the cause.
struct StateFault {
    enum Cause {
        /// The state folder belongs to another user.
        case denied
        /// A file in this user's state folder belongs to another user, as after a copy by root.
        case otherOwner
        /// The mode keeps out even the owner.
        case mode
        /// The file system is read-only, as after an error of the disk.
        case readOnly
    }

    let path: String
    let folder: String
    let cause: Cause

    /// The first fault of the files and folders that are needed, each with its rights (access(2)); nil if there is none.
    ///
    /// A file that does not exist is no fault.
    init?(of needed: [(path: String, rights: CInt)], in folder: String) {
        for (path, rights) in needed where access(path, rights) != 0 && [EACCES, EROFS].contains(errno) {
            (self.path, self.folder) = (path, folder)
            let me = geteuid()
            cause =
                switch (errno, FileStatus(path)?.user) {
                case (EROFS, _): .readOnly
                case (_, me?): .mode
                case (_, _?) where path != folder && FileStatus(folder)?.user == me: .otherOwner
                default: .denied
                }
            return
        }
        return nil
    }

    /// A folder of another user.
    init(of folder: String) { (path, self.folder, cause) = (folder, folder, .denied) }

    var finding: Finding {
        let status = FileStatus(path)
        switch cause {
        case .denied: return StateCheck(state: StateDirectory(configured: path)).denied
        case .otherOwner:
            let owner = status.map { ServiceOwner.name(of: $0.user) } ?? "another user"
            let user = ServiceOwner.name(of: geteuid())
            return Finding(.stateFileForeign, ["path": path, "folder": folder, "owner": owner, "user": user])
        case .mode:
            let mode = String((status?.mode ?? 0) & 0o777, radix: 8)
            return Finding(.stateFolderClosed, ["path": path, "mode": mode])
        case .readOnly: return Finding(.stateFolderReadOnly, ["path": folder])
        }
    }

    func failure(on installation: Installation) -> CommandFailure {
        if case .denied = cause { return .foreign(path, FileConfiguration.ownConfiguration) }
        let finding = finding.naming(installation)
        return CommandFailure(.configuration, [finding.message, finding.fix].compactMap(\.self).joined(separator: " "))
    }
}
