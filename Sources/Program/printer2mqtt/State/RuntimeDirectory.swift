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
        forSocket: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        candidates(beside: state, forSocket: forSocket, environment: environment, user: geteuid()).first {
            $0 == state.path ? access($0, W_OK) == 0 : isUsable($0)
        }
    }

    /// A file in that folder for what runs on a state folder; nil if there is no folder.
    static func file(_ kind: String, for state: StateDirectory, isSocket: Bool = false) -> String? {
        let folder = URL(fileURLWithPath: state.path).standardizedFileURL.path
        let name = "\(String(stableHash(folder) >> 32, radix: 16)).\(kind)"
        return path(beside: state, forSocket: isSocket).map { "\($0)/\(name)" }
    }

    /// systemd's folder, the folder of the service with these settings, the user's (XDG Base Directory Specification), the
    /// state folder, or one for this user alone, which a container may have anew at each start.
    ///
    /// In the state folder a path could be too long for a socket (unix(7) allows 107 bytes), or its file system could have no
    /// sockets.
    static func candidates(
        beside state: StateDirectory,
        forSocket: Bool,
        environment: [String: String],
        user: uid_t
    ) -> [String] {
        let systemd = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first.map(String.init)
        // A unit with StateDirectory=NAME has RuntimeDirectory=NAME. Commands beside it are not told.
        let stateFolders = "/var/lib/"
        let service = state.path.hasPrefix(stateFolders) ? "/run/" + state.path.dropFirst(stateFolders.count) : nil
        let session = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 + "/printer2mqtt" : nil }
        let last = [forSocket ? nil : state.path, "/tmp/printer2mqtt-\(user)"]
        return ([systemd, service, session, "/run/user/\(user)/printer2mqtt"] + last).compactMap(\.self)
    }

    /// Whether the folder, made if it is missing, can be written, and is this user's alone: in `/tmp`, others can make one
    /// with its name.
    private static func isUsable(_ path: String) -> Bool {
        _ = mkdir(path, 0o700)
        guard let status = FileStatus(path, followsLink: false) else { return false }
        let isOwn = status.isFolder && status.user == geteuid() && status.isPrivate
        return isOwn && access(path, W_OK | X_OK) == 0
    }
}
