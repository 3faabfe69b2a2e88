import Foundation

/// The user that runs the installed service, and owns ``StateDirectory/ofService``.
struct ServiceOwner {
    private let folder: String
    private let user: (id: uid_t, group: gid_t, name: String)

    /// The owner of a service's folder, or of a file in it; nil where no service was installed.
    init?(of folder: String = StateDirectory.ofService) {
        guard let status = FileStatus(folder), let entry = getpwuid(status.user) else { return nil }
        user = (status.user, status.group, String(cString: entry.pointee.pw_name))
        self.folder = folder
    }

    static func name(of user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "with the number \(user)"
    }

    /// What to type before a command's arguments, where this user may not use a file or folder.
    static func command(toUse path: String) -> String {
        ServiceOwner(of: FileStatus.visible(path))?.command ?? "sudo printer2mqtt"
    }

    /// What to type before a command's arguments, to run it on the service's settings.
    ///
    /// On the settings of the installed service, a process of root becomes its user by itself.
    var command: String {
        user.id == 0 || folder == StateDirectory.ofService ? "sudo printer2mqtt" : "sudo -u \(user.name) printer2mqtt"
    }

    /// Makes a process of root run as this user, so that the service can read and write the process's files.
    func become() throws {
        guard geteuid() == 0, user.id != 0 else { return }
        guard initgroups(user.name, user.group) == 0, setgid(user.group) == 0, setuid(user.id) == 0 else {
            throw CommandFailure(.unavailable, "root cannot become \(user.name): run '\(command)' instead")
        }
    }
}
