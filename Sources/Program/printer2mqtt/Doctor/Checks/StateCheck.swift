import Foundation
import Platform

/// Whether settings can be saved, and others are kept out: owner, free space, a test file and permissions of the state folder.
struct StateCheck {
    /// The room that the store needs: some commits, and a checkpoint of its log.
    static let roomNeeded = 10_000_000

    let state: StateDirectory

    /// The first thing that is wrong, or that all is ok.
    func finding() -> Finding {
        let folder = FileStatus.visible(state.path)
        // ENOENT alone means that the folder can be made.
        let isHidden = access(state.path, F_OK) != 0 && errno != ENOENT
        guard !isHidden, FileStatus(folder)?.isFolder == true else {
            return StateFault(of: state.path).finding
        }
        if let fault = StateFault(of: [(folder, W_OK | X_OK)], in: folder) { return fault.finding }
        if let free = StateDirectory(configured: folder).free, free < Self.roomNeeded {
            return Finding(.diskFull, ["path": state.path, "free": String(free / 1_000)])
        }
        guard folder == state.path else {
            return .ok("state folder", "\(state.path) is made on the first start.")
        }
        if let error = Self.errorOfWriting(in: folder) {
            return Finding(.diskWriteFailed, ["path": state.path, "error": error])
        }
        if let status = FileStatus(state.path), status.mode & 0o011 != 0 {
            let mode = String(status.mode & 0o777, radix: 8)
            return Finding(.stateFolderExposed, ["path": state.path, "mode": mode])
        }
        return .ok("state folder", "\(state.path) can be written, and only its owner may enter it.")
    }

    /// Writes, flushes and removes a file; the system's words if that fails.
    private static func errorOfWriting(in folder: String) -> String? {
        let path = "\(folder)/doctor.\(UUID().uuidString)"
        defer { unlink(path) }
        // Over the limit of a file's size the system sends a signal as well, which would end the process: setrlimit(2).
        let handler = signal(SIGXFSZ, SIG_IGN)
        defer { signal(SIGXFSZ, handler) }
        do {
            let file = try OpenFile(new: path)
            try file.append([UInt8](repeating: 0, count: 65_536))
            try file.flush()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
