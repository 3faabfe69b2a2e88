package import CameraProtocols
package import Foundation
import Pictures
import Platform
package import Printers
import StoredSettings
import Synchronization

/// The clips on disk: a folder for each printer, with a film and a picture for each clip; readable by their owner alone.
///
/// Each promised clip has a promise file until the broker has acknowledged the event `clip_ready` or `clip_lost`. So neither a
/// killed process nor a lost connection loses this event.
package final class ClipFolder: Sendable {
    package enum FileKind: String, Sendable, CaseIterable {
        case film = "mp4"
        case picture = "jpg"
    }

    /// Whether the film of a clip is written.
    package enum State: Sendable, Hashable {
        case promised
        case ready(Film)
    }

    package struct Film: Sendable, Hashable {
        package let bytes: Int
        /// Whether there is a picture of the clip, which is written before the film.
        package let hasPicture: Bool
        package let writtenAt: Date

        package init(bytes: Int, hasPicture: Bool, writtenAt: Date) {
            (self.bytes, self.hasPicture, self.writtenAt) = (bytes, hasPicture, writtenAt)
        }
    }

    /// A clip, and whether its film is written.
    package struct Entry: Sendable, Hashable {
        package let name: ClipName
        package let state: State
    }

    private struct Content {
        var clips: [PrinterID: [ClipName: State]] = [:]
        /// The bytes of the pictures of timelapses that are not made yet.
        var layers: [ClipName: Int] = [:]
        /// The present names of printers that were renamed while this process runs.
        var names: [PrinterID: PrinterID] = [:]

        var films: [(ClipName, Film)] {
            clips.values.flatMap(\.self).compactMap { name, state in
                if case .ready(let film) = state { (name, film) } else { nil }
            }
        }

        func current(_ name: ClipName) -> ClipName {
            names[name.printer].flatMap { ClipName($0, name.description) }.map(current) ?? name
        }

        subscript(name: ClipName) -> State? {
            get { clips[name.printer]?[name] }
            set {
                clips[name.printer, default: [:]][name] = newValue
                if clips[name.printer]?.isEmpty == true { clips[name.printer] = nil }
            }
        }
    }

    private static let promise = "promised"
    private static let layers = "layers"
    private static let draft = "part"
    private static let copy = "copied"
    private static let mark = "renamed-to-"

    package let path: String
    private let limits: ClipLimits
    private let copies: ClipCopies
    private let content = Mutex(Content())
    /// Clips of an earlier run without an acknowledged event.
    ///
    /// `problem`: why there is no clip; nil if there is one.
    package let owed: [(name: ClipName, problem: String?)]
    /// The timelapses whose pictures an earlier run left.
    package let interrupted: [ClipName]

    /// Reads the folder, and removes half-written files; the first promise makes the folder.
    ///
    /// A folder that cannot be read counts as empty: clips must not keep a bridge from starting. `copies` is the folder of
    /// ``copy(_:)``.
    package init(path: String, limits: ClipLimits = ClipLimits(), copies: String = "") {
        (self.path, self.limits, self.copies) = (path, limits, ClipCopies(folder: copies))
        var found = Content()
        var files: [String: [ClipName: String]] = [:]
        for folder in DiskFile.contents(of: path) {
            guard let printer = PrinterID(folder[...]) else { continue }
            for file in DiskFile.contents(of: "\(path)/\(folder)") {
                let parts = file.split(separator: ".", maxSplits: 1).map(String.init)
                guard parts.count == 2, let name = ClipName(printer, parts[0]) else { continue }
                files[parts[1], default: [:]][name] = "\(path)/\(folder)/\(file)"
            }
        }
        let known = FileKind.allCases.map(\.rawValue) + [Self.promise, Self.layers, Self.copy]
        for drafts in files.filter({ !known.contains($0.key) }).values { for file in drafts.values { unlink(file) } }
        let films = files[FileKind.film.rawValue] ?? [:]
        let pictures = files[FileKind.picture.rawValue] ?? [:]
        for (name, file) in films {
            found[name] = .ready(Film(file, hasPicture: pictures[name] != nil))
        }
        let promises = files[Self.promise] ?? [:]
        for (name, file) in files[Self.layers] ?? [:] {
            if films[name] == nil, promises[name] != nil {
                (found[name], found.layers[name]) = (.promised, DiskFile.size(of: file))
            } else {
                unlink(file)
            }
        }
        interrupted = found.layers.keys.sorted()
        owed = promises.filter { found[$0.key] != .promised }.map { name, file in
            let reason = DiskFile.text(of: file)
            let problem = reason.isEmpty ? "The bridge ended before the clip was written." : reason
            return (name, films[name] == nil ? problem : nil)
        }
        .sorted { $0.name < $1.name }
        for (name, file) in pictures where found[name] == nil { unlink(file) }
        content.withLock { $0 = found }
    }

    /// The clips of a printer, newest first.
    package func clips(of printer: PrinterID) -> [Entry] {
        content.withLock { $0.clips[printer] ?? [:] }.sorted { $0.key > $1.key }
            .map { Entry(name: $0.key, state: $0.value) }
    }

    package func state(of name: ClipName) -> State? {
        let name = current(name)
        return content.withLock { $0[name] }
    }

    /// The printers that have a folder.
    package var printers: Set<PrinterID> { Set(DiskFile.contents(of: path).compactMap { PrinterID($0[...]) }) }

    package func file(_ name: ClipName, _ kind: FileKind) -> String { file(name, kind.rawValue) }

    /// Promises a clip; does not wait for the disk.
    package func promise(_ name: ClipName) throws {
        try DiskFile.makeFolder(path)
        try DiskFile.makeFolder("\(path)/\(name.printer)")
        try DiskFile.write(file(name, Self.promise), [[]], isDurable: false)
        content.withLock { content in
            content.names[name.printer] = nil
            content[name] = .promised
        }
    }

    /// Whether the broker has not acknowledged `clip_ready` or `clip_lost` of a promised clip yet.
    package func isOwed(_ name: ClipName) -> Bool { access(file(current(name), Self.promise), F_OK) == 0 }

    /// Writes a file of a clip: afterwards it is whole, or not there.
    package func store(_ kind: FileKind, of name: ClipName, _ parts: some Sequence<[UInt8]> & Sendable) async throws {
        try await onOwnThread { try self.storeHere(kind, of: self.current(name), parts) }
    }

    private func storeHere(_ kind: FileKind, of name: ClipName, _ parts: some Sequence<[UInt8]>) throws {
        let draft = kind.rawValue + "." + Self.draft
        defer { unlink(file(current(name), draft)) }
        try DiskFile.write(file(name, draft), parts)
        // Its printer may have been renamed meanwhile, and the draft with it.
        let name = try content.withLock { content in
            let name = content.current(name)
            guard rename(file(name, draft), file(name, kind)) == 0 else { throw SystemFailure() }
            return name
        }
        guard kind == .film else { return }
        let film = Film(file(name, kind), hasPicture: access(file(name, .picture), F_OK) == 0)
        content.withLock { $0[name] = .ready(film) }
        unlink(file(name, Self.layers))
        content.withLock { $0.layers[name] = nil }
        makeRoom(for: name)
    }

    /// Gives a promised clip up, and keeps the reason for `clip_lost` until ``settle(_:)``.
    package func giveUp(_ name: ClipName, _ problem: String) {
        let name = current(name)
        _ = try? DiskFile.write(file(name, Self.promise), [Array(problem.utf8)], isDurable: false)
        removeFiles(of: name)
    }

    /// The clips whose films are there.
    package var written: [ClipName] {
        content.withLock(\.films).map(\.0).sorted()
    }

    /// Copies a film into the folder for copies, if one is set.
    ///
    /// Each film is copied once: a copy that a person removed does not come back.
    package func copy(_ name: ClipName) async throws {
        try await onOwnThread { [copies] in
            let name = self.current(name)
            guard self.state(of: name) != nil else { return }
            try copies.copy(self.file(name, .film), of: name, self.file(name, Self.copy))
        }
    }

    /// Notes that the broker has acknowledged `clip_ready` or `clip_lost` of a clip.
    package func settle(_ name: ClipName) { unlink(file(current(name), Self.promise)) }

    /// Removes what there is of a printer.
    package func remove(_ printer: PrinterID) {
        let folder = "\(path)/\(printer)"
        for clip in clips(of: printer) { removeCopy(of: clip.name) }
        // Files of other programs stay.
        for file in DiskFile.contents(of: folder)
        where file.hasPrefix(Self.mark) || ClipName(printer, file.prefix { $0 != "." }) != nil {
            unlink("\(folder)/\(file)")
        }
        rmdir(folder)
        content.withLock { content in
            content.clips[printer] = nil
            content.layers = content.layers.filter { $0.key.printer != printer }
        }
    }

    /// Removes the oldest clips beyond the limits, but not `new`.
    private func makeRoom(for new: ClipName) {
        let (films, layers) = content.withLock { ($0.films, $0.layers.values.reduce(0, +)) }
        let sizes = Dictionary(uniqueKeysWithValues: films)
        for name in limits.excess(of: sizes, at: Date(), beside: layers, keeping: new) {
            if isOwed(name) {
                giveUp(name, "Newer clips took its place.")
            } else {
                removeFiles(of: name)
            }
        }
    }

    private func removeCopy(of name: ClipName) { copies.remove(file(name, .film), of: name, file(name, Self.copy)) }

    private func removeFiles(of name: ClipName) {
        removeCopy(of: name)
        content.withLock { ($0[name], $0.layers[name]) = (nil, nil) }
        for ending in FileKind.allCases.map(\.rawValue) + [Self.layers] { unlink(file(name, ending)) }
    }

    private func file(_ name: ClipName, _ ending: String) -> String { "\(path)/\(name.printer)/\(name).\(ending)" }
}

/// Printers that get another name, perhaps by another process.
extension ClipFolder {
    /// Renames a printer by `body`, and first leaves a mark for the process that follows its clips; see ``follow(_:)``.
    package static func keepClips<Failure: Error>(
        of old: PrinterID,
        as new: PrinterID,
        in path: String?,
        _ body: () async throws(Failure) -> Void
    ) async throws(Failure) {
        guard let path else { return try await body() }
        // After a rename, the bridge moves the clips later. Until then, the folder of the name before `old` has a mark with
        // `old`.
        let earlier = DiskFile.contents(of: path).filter { access("\(path)/\($0)/\(mark)\(old)", F_OK) == 0 }
        // The new name of the printer is in the mark's file name: the bridge cannot read a file of root.
        let marks = (earlier + [old.description]).map { "\(path)/\($0)/\(mark)\(new)" }
        for file in marks { _ = try? DiskFile.write(file, [[]], isDurable: false) }
        do throws(Failure) {
            try await body()
        } catch {
            // A shared store that does not answer may have renamed it all the same.
            if (error as? SettingsError)?.code != .unavailable { for file in marks { unlink(file) } }
            throw error
        }
        // Another printer may get the old name.
        for folder in earlier { unlink("\(path)/\(folder)/\(mark)\(old)") }
    }

    /// Gives the clips of printers that were renamed to their new names, and removes those of printers that were removed.
    ///
    /// Clips of a printer that is neither known nor removed stay: the store may be new, or an older backup.
    package func follow(_ known: Set<PrinterID>, wasRemoved: (PrinterID) -> Bool) {
        for id in printers.subtracting(known) {
            let marks = DiskFile.contents(of: "\(path)/\(id)").filter { $0.hasPrefix(Self.mark) }
            let names = marks.compactMap { PrinterID($0.dropFirst(Self.mark.count)) }
            let name = names.first(where: known.contains)
            if let name { move(id, to: name) }
            if name != nil || wasRemoved(id) { remove(id) }
        }
    }

    private func move(_ old: PrinterID, to new: PrinterID) {
        guard (try? DiskFile.makeFolder("\(path)/\(new)")) != nil else { return }
        content.withLock { content in
            content.names[old] = new
            // `new` is in use again: following it would lead to another printer, or in a circle.
            content.names[new] = nil
            func renamed(_ name: ClipName) -> ClipName { ClipName(new, name.description) ?? name }
            for (name, state) in content.clips.removeValue(forKey: old) ?? [:] { content[renamed(name)] = state }
            for (name, bytes) in content.layers where name.printer == old {
                content.layers[name] = nil
                content.layers[renamed(name)] = bytes
            }
            for file in DiskFile.contents(of: "\(path)/\(old)") where ClipName(old, file.prefix { $0 != "." }) != nil {
                rename("\(path)/\(old)/\(file)", "\(path)/\(new)/\(file)")
            }
        }
    }

    /// The name of a clip now, if its printer was renamed.
    package func current(_ name: ClipName) -> ClipName { content.withLock { $0.current(name) } }
}

/// The pictures of timelapses, until their films are made.
extension ClipFolder {
    /// Begins a timelapse, which is promised from now on.
    package func beginLayers(of name: ClipName, _ configuration: VideoConfiguration?) async throws -> LayerFile {
        try promise(name)
        return try await onOwnThread { try LayerFile(creating: self.file(name, Self.layers), configuration) }
    }

    package func layers(of name: ClipName) async throws -> LayerFile {
        try await onOwnThread { try LayerFile(reading: self.file(self.current(name), Self.layers)) }
    }

    /// Adds the picture of a layer.
    ///
    /// The pictures of all timelapses that are not made yet take at most half of the bytes that clips may take.
    package func add(_ picture: [UInt8], to layers: LayerFile, of name: ClipName, isLast: Bool = false) async throws
        -> LayerFile
    {
        let name = current(name)
        let others = content.withLock { content in content.layers.keys.count { $0 != name } }
        let limit = min(LayerFile.byteLimit, limits.bytes / 2 / (others + 1))
        let layers = try await onOwnThread {
            var layers = layers
            layers.path = self.file(name, Self.layers)
            try layers.append(picture, isLast: isLast, byteLimit: limit)
            return layers
        }
        let isThere = content.withLock { content in
            guard content[name] != nil else { return false }
            content.layers[name] = layers.bytes
            return true
        }
        // The printer was removed meanwhile.
        guard isThere else { throw SystemFailure(ENOENT) }
        makeRoom(for: name)
        return layers
    }
}

extension ClipFolder.Film {
    fileprivate init(_ file: String, hasPicture: Bool) {
        let writtenAt = DiskFile.writtenAt(file) ?? .distantPast
        self.init(bytes: DiskFile.size(of: file), hasPicture: hasPicture, writtenAt: writtenAt)
    }
}
