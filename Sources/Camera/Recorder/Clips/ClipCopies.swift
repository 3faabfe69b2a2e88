import Foundation
import Platform

/// Copies of films in a folder that other programs show, such as Home Assistant's media folder.
///
/// A note beside each film has the path of the copy. A copy has the film's length, and the time of the event as its time of
/// change. A file with another length or time was changed or replaced by another program, and is never removed.
struct ClipCopies: Sendable {
    private enum Progress: String {
        case begun, done
    }

    /// The folder for copies; empty for none.
    let folder: String

    /// Copies a film, unless its copy was made before.
    func copy(_ film: String, of name: ClipName, _ note: String) throws {
        guard !folder.isEmpty, !DiskFile.text(of: note).hasPrefix("\(Progress.done)") else { return }
        remove(film, of: name, note)
        let path = "\(folder)/\(name.printer)/\(name).mp4"
        try DiskFile.makeFolder("\(folder)/\(name.printer)", isShared: true)
        // Never overwrite a file of another program.
        for file in [path, Self.draft(path)] where access(file, F_OK) == 0 { throw SystemFailure(EEXIST) }
        try DiskFile.write(note, [Array("\(Progress.begun)\n\(path)".utf8)])
        do {
            // A copy, not a hard link: some file systems of shared folders have no links.
            try DiskFile.copy(film, to: Self.draft(path), changedAt: Self.time(of: name))
            guard rename(Self.draft(path), path) == 0 else { throw SystemFailure() }
        } catch {
            unlink(Self.draft(path))
            unlink(note)
            throw error
        }
        try DiskFile.write(note, [Array("\(Progress.done)\n\(path)".utf8)])
    }

    /// Removes the copy of a film if it is still there and unchanged, and the note.
    func remove(_ film: String, of name: ClipName, _ note: String) {
        let parts = DiskFile.text(of: note).split(separator: "\n", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return }
        var info = stat()
        let path = parts[1]
        if parts[0] == "\(Progress.begun)" { unlink(Self.draft(path)) }
        let isThere = lstat(path, &info) == 0
        if isThere, Int(info.st_size) == DiskFile.size(of: film), info.st_mtim.tv_sec == Self.time(of: name) {
            unlink(path)
        }
        // This fails if the folder has other files: then the folder stays.
        rmdir(URL(filePath: path).deletingLastPathComponent().path)
        unlink(note)
    }

    private static func draft(_ path: String) -> String { path + ".part" }

    /// Even: some file systems of shared folders keep every second second.
    private static func time(of name: ClipName) -> Int { Int(name.time.timeIntervalSince1970) / 2 * 2 }
}
