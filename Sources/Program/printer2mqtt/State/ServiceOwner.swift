import Foundation

/// The user that runs the installed service, and owns ``StateDirectory/ofService``.
struct ServiceOwner {
    private let folder: String
    private var user: (id: uid_t, group: gid_t, name: String)

    /// The user that the package makes for the service, known by its home; nil where there is none.
    static var ofPackage: ServiceOwner? {
        guard let entry = getpwnam("printer2mqtt"), String(cString: entry.pointee.pw_dir) == StateDirectory.ofService
        else { return nil }
        return ServiceOwner(entry.pointee, of: StateDirectory.ofService)
    }

    /// The owner of a service's folder, or of a file in it; nil where no service was installed.
    init?(of folder: String = StateDirectory.ofService) {
        guard let status = FileStatus(folder), let entry = getpwuid(status.user) else { return nil }
        self.init(entry.pointee, of: folder)
        user.group = status.group
    }

    private init(_ entry: passwd, of folder: String) {
        (user, self.folder) = ((entry.pw_uid, entry.pw_gid, String(cString: entry.pw_name)), folder)
    }

    /// Whether this process runs as this user.
    var isMe: Bool { geteuid() == user.id }

    static func name(of user: uid_t) -> String {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
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
