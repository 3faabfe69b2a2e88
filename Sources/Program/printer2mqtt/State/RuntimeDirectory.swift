import Foundation
import Platform
import Printers

/// The folder for files that need not survive a restart of the machine: in memory, where the system has one.
enum RuntimeDirectory {
    /// The first folder that this process can use, made if it is missing; nil if there is none.
    ///
    /// Call it after ``ServiceOwner/become()``: each user has another folder.
    static func path(
        beside state: StateDirectory,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        candidates(beside: state, environment: environment, user: geteuid()).first(where: isUsable)
    }

    /// A file in that folder for what runs on a state folder; nil if there is no folder.
    ///
    /// In the state folder its path could be too long for a socket (unix(7) allows 107 bytes), or its file system could have
    /// no sockets.
    static func file(_ kind: String, for state: StateDirectory) -> String? {
        let folder = URL(fileURLWithPath: state.path).standardizedFileURL.path
        return path(beside: state).map { "\($0)/\(String(stableHash(folder) >> 32, radix: 16)).\(kind)" }
    }

    /// systemd's folder, the folder of the service with these settings, the user's (XDG Base Directory Specification), or one
    /// for this user alone.
    static func candidates(beside state: StateDirectory, environment: [String: String], user: uid_t) -> [String] {
        let systemd = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first.map(String.init)
        // A unit with StateDirectory=NAME has RuntimeDirectory=NAME. Commands beside it are not told.
        let stateFolders = "/var/lib/"
        let service = state.path.hasPrefix(stateFolders) ? "/run/" + state.path.dropFirst(stateFolders.count) : nil
        let session = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 + "/printer2mqtt" : nil }
        return [systemd, service, session, "/run/user/\(user)/printer2mqtt", "/tmp/printer2mqtt-\(user)"]
            .compactMap(\.self)
    }

    /// Whether the folder, made if it is missing, is this user's alone: in `/tmp`, others can make one with its name.
    private static func isUsable(_ path: String) -> Bool {
        _ = mkdir(path, 0o700)
        guard let status = FileStatus(path, followsLink: false) else { return false }
        return status.isFolder && status.user == geteuid() && status.isPrivate
    }
}
