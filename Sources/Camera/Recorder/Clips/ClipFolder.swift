import Foundation
import Platform
package import Printers
import Synchronization

/// The clips on disk: a folder for each printer, with a film and a picture for each clip; readable by their owner alone.
///
/// A clip that is promised has an empty file until it is there or given up, so a killed process leaves word of it.
package final class ClipFolder: Sendable {
    package enum FileKind: String, Sendable, CaseIterable {
        case film = "mp4"
        case picture = "jpg"
    }

    /// Whether the film of a clip is written.
    package enum State: Sendable, Hashable {
        case promised
        /// The film's length in bytes.
        case ready(bytes: Int)
    }

    /// A clip, and whether its film is written.
    package struct Entry: Sendable, Hashable {
        package let name: ClipName
        package let state: State
    }

    private static let promise = "promised"
    private static let draft = "part"

    package let path: String
    private let limits: ClipLimits
    private let clips = Mutex<[PrinterID: [ClipName: State]]>([:])

    /// Reads the folder, and removes half-written files; the first promise makes the folder.
    ///
    /// A folder that cannot be read counts as empty: clips must not keep a bridge from starting.
    package init(path: String, limits: ClipLimits = ClipLimits()) {
        (self.path, self.limits) = (path, limits)
        var found: [PrinterID: [ClipName: State]] = [:]
        var pictures: [(name: ClipName, file: String)] = []
        for folder in Self.contents(of: path) {
            guard let printer = PrinterID(folder[...]) else { continue }
            for file in Self.contents(of: "\(path)/\(folder)") {
                let parts = file.split(separator: ".", maxSplits: 1).map(String.init)
                guard parts.count == 2, let name = ClipName(printer, parts[0]) else { continue }
                let whole = "\(path)/\(folder)/\(file)"
                switch parts[1] {
                case Self.promise: found[printer, default: [:]][name] = found[printer]?[name] ?? .promised
                case FileKind.film.rawValue: found[printer, default: [:]][name] = .ready(bytes: Self.size(of: whole))
                case FileKind.picture.rawValue: pictures.append((name, whole))
                default: unlink(whole)
                }
            }
        }
        for (name, file) in pictures where found[name.printer]?[name] == nil { unlink(file) }
        clips.withLock { $0 = found }
    }

    /// The clips of a printer, newest first.
    package func clips(of printer: PrinterID) -> [Entry] {
        clips.withLock { $0[printer] ?? [:] }.sorted { $0.key > $1.key }.map { Entry(name: $0.key, state: $0.value) }
    }

    package func state(of name: ClipName) -> State? { clips.withLock { $0[name.printer]?[name] } }

    package var printers: Set<PrinterID> { clips.withLock { Set($0.keys) } }

    /// The clips that an earlier run promised; each is whole, or it is lost.
    package var promises: [ClipName] {
        clips.withLock { $0.values.flatMap(\.keys) }.filter {
            FileManager.default.fileExists(atPath: file($0, Self.promise))
        }
        .sorted()
    }

    package func file(_ name: ClipName, _ kind: FileKind) -> String { file(name, kind.rawValue) }

    /// Promises a clip; does not wait for the disk.
    package func promise(_ name: ClipName) throws {
        try Self.makeFolder(path)
        try Self.makeFolder("\(path)/\(name.printer)")
        try fill(file(name, Self.promise), [], isDurable: false)
        set(name, .promised)
    }

    /// Writes a file of a clip: afterwards it is whole, or not there.
    ///
    /// Writing blocks its thread, which must not be one of Swift's pool.
    package func store(_ kind: FileKind, of name: ClipName, _ parts: [[UInt8]]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Result { try self.storeHere(kind, of: name, parts) })
            }
        }
    }

    private func storeHere(_ kind: FileKind, of name: ClipName, _ parts: [[UInt8]]) throws {
        let draft = file(name, kind.rawValue + "." + Self.draft)
        defer { unlink(draft) }
        try fill(draft, parts)
        guard rename(draft, file(name, kind)) == 0 else { throw POSIXError.last }
        guard kind == .film else { return }
        let bytes = parts.reduce(0) { $0 + $1.count }
        set(name, .ready(bytes: bytes))
    }

    /// Keeps a promise or gives it up; a clip without a film is forgotten.
    package func settle(_ name: ClipName) {
        unlink(file(name, Self.promise))
        if state(of: name) == .promised { remove(name) }
        let sizes = clips.withLock { $0.values.flatMap(\.self) }.compactMap { name, state in
            if case .ready(let bytes) = state { (name, bytes) } else { nil }
        }
        for excess in limits.excess(of: Dictionary(uniqueKeysWithValues: sizes), keeping: name) { remove(excess) }
    }

    /// Removes a printer's clips.
    package func remove(_ printer: PrinterID) {
        for clip in clips(of: printer) { remove(clip.name) }
        rmdir("\(path)/\(printer)")
    }

    private func remove(_ name: ClipName) {
        set(name, nil)
        for kind in FileKind.allCases.map(\.rawValue) + [Self.promise] { unlink(file(name, kind)) }
    }

    private func file(_ name: ClipName, _ ending: String) -> String { "\(path)/\(name.printer)/\(name).\(ending)" }

    private func set(_ name: ClipName, _ state: State?) {
        clips.withLock { clips in
            clips[name.printer, default: [:]][name] = state
            if clips[name.printer]?.isEmpty == true { clips[name.printer] = nil }
        }
    }

    private static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw POSIXError.last }
    }

    private static func contents(of path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    private static func size(of path: String) -> Int {
        var info = stat()
        return stat(path, &info) == 0 ? Int(info.st_size) : 0
    }

    private func fill(_ path: String, _ parts: [[UInt8]], isDurable: Bool = true) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw POSIXError.last }
        defer { close(file) }
        for part in parts {
            var rest = part[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                guard count > 0 || count < 0 && errno == EINTR else { throw POSIXError.last }
                rest = rest.dropFirst(max(count, 0))
            }
        }
        guard !isDurable || fsync(file) == 0 else { throw POSIXError.last }
    }
}

extension POSIXError {
    fileprivate static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
