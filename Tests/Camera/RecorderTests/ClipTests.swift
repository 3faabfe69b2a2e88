import Foundation
import Platform
import Printers
import StoredSettings
import TestSupport
import Testing

@testable import Recorder

@Suite("Clips")
struct ClipTests {
    private let printer: PrinterID
    private let directory: TemporaryDirectory
    private var path: String { directory.file("clips").path }

    init() throws {
        printer = try #require(PrinterID("p1"))
        directory = try TemporaryDirectory()
    }

    private func name(_ seconds: Int, _ printer: PrinterID? = nil) -> ClipName {
        let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(seconds))
        return ClipName(printer ?? self.printer, event: "print_failed", at: time)
    }

    @Test func `Clips have the time and the event in their names`() {
        #expect(name(0).description == "20231114T221320Z-print_failed")
        #expect(name(0).event == "print_failed")
        #expect(name(0).time == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(name(0).clipPath == "/camera/p1/clips/20231114T221320Z-print_failed.mp4")
        #expect(name(0) < name(1))
    }

    @Test(arguments: [
        "", "x", "20231114T221320Z", "20231114T221320Z-", "20231114T221320Z-../../x", "20231314T221320Z-a",
        "20231114T221320Z-A", "20231114T221320Z-a.b", "2023١114T221320Z-a",
        "20231114T221320Z-" + String(repeating: "a", count: 41),
    ])
    func `Other texts name no clip`(text: String) {
        #expect(ClipName(printer, text) == nil)
    }

    @Test func `The clips that were written last are kept of each printer, and of all together what fits`() throws {
        let other = try #require(PrinterID("p2"))
        let now = name(200).time
        func film(_ second: Int) -> ClipFolder.Film { .init(bytes: 10, hasPicture: true, writtenAt: name(second).time) }
        var clips = Dictionary(uniqueKeysWithValues: (0..<12).map { (name($0), film($0)) })
        clips[name(100, other)] = film(100)
        var limits = ClipLimits()
        #expect(limits.excess(of: clips, at: now) == [name(0), name(1)])
        // The film of a long print has the time of its beginning.
        clips[name(0)] = film(101)
        #expect(limits.excess(of: clips, at: now) == [name(1), name(2)])
        // Written before the clock was right.
        clips[name(5)] = film(300)
        #expect(limits.excess(of: clips, at: now) == [name(5), name(1)])
        limits.bytes = 35
        let kept = Set(clips.keys).subtracting(limits.excess(of: clips, at: now))
        #expect(kept == [name(0), name(11), name(100, other)])
    }

    @Test func `Clips are whole or gone after a kill, and the word about each is owed until it is told`() async throws {
        let folder = ClipFolder(path: path)
        for second in 0..<4 { try folder.promise(name(second)) }
        try await folder.store(.film, of: name(0), [[1, 2], [3]])
        folder.settle(name(0))
        try await folder.store(.picture, of: name(1), [[2]])
        try await folder.store(.film, of: name(1), [[1]])
        // Killed while it writes the third clip.
        try Data([1]).write(to: URL(filePath: folder.file(name(2), .film) + ".part"))
        folder.giveUp(name(3), "No picture.")
        #expect(folder.state(of: name(3)) == nil)

        for _ in 0..<2 {
            let next = ClipFolder(path: path)
            let problems = ["The bridge ended before the clip was written.", "No picture."]
            #expect(next.owed.map(\.name) == [name(1), name(2), name(3)])
            #expect(next.owed.map(\.problem) == [nil] + problems)
            #expect(next.clips(of: printer).map(\.name) == [name(1), name(0)])
        }
        let next = ClipFolder(path: path)
        for folder in [folder, next] {
            let films = (0..<2).map { second -> ClipFolder.Film? in
                if case .ready(let film) = folder.state(of: name(second)) { film } else { nil }
            }
            #expect(films.map { $0?.bytes } == [3, 1] && films.map { $0?.hasPicture } == [false, true])
        }
        for outcome in next.owed { next.settle(outcome.name) }
        #expect(ClipFolder(path: path).owed.isEmpty)
        let files = try FileManager.default.contentsOfDirectory(atPath: path + "/p1")
        #expect(Set(files) == ["\(name(0)).mp4", "\(name(1)).mp4", "\(name(1)).jpg"])
        let mode = try FileManager.default.attributesOfItem(atPath: next.file(name(0), .film))[.posixPermissions]
        #expect(mode as? Int == 0o600)

        next.giveUp(name(0), "Unheard.")
        next.remove(printer)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }

    @Test func `Clips cannot be promised where there is no folder for them`() throws {
        try Data().write(to: URL(filePath: path))
        let folder = ClipFolder(path: path)
        #expect(folder.printers.isEmpty)
        // In words for a person: an event has them as its message.
        #expect { try folder.promise(name(0)) } throws: { "\($0)" == "Not a directory" }
        #expect(folder.state(of: name(0)) == nil)
    }

    private func follow(_ known: Set<PrinterID>, _ folder: ClipFolder) { folder.follow(known) { _ in true } }

    @Test func `Clips of a printer that was never removed stay: its settings may be lost`() throws {
        let folder = ClipFolder(path: path)
        try folder.promise(name(0))
        folder.follow([]) { _ in false }
        #expect(folder.state(of: name(0)) == .promised)
    }

    @Test func `Clips follow a printer that is renamed, also by another process, and while they are written`()
        async throws
    {
        let folder = ClipFolder(path: path)
        let (new, newest, last) = (PrinterID("p2")!, PrinterID("p3")!, PrinterID("p4")!)
        for second in 0..<3 { try folder.promise(name(second)) }
        try await folder.store(.film, of: name(0), [[1]])
        await #expect(throws: TestFailure.self) {
            try await ClipFolder.keepClips(of: printer, as: newest, in: path) { throw TestFailure("not renamed") }
        }
        try? await ClipFolder.keepClips(of: printer, as: new, in: path) {
            throw SettingsError(.unavailable, "perhaps renamed")
        }
        follow([printer], folder)
        #expect(folder.clips(of: printer).count == 3, "the settings still have the old name")
        follow([new], folder)
        await ClipFolder.keepClips(of: new, as: newest, in: path) {}
        try await folder.store(.film, of: name(1), PartBetween(part: [2]) { follow([newest], folder) })
        folder.giveUp(name(2), "No picture.")
        for found in [folder, ClipFolder(path: path)] {
            #expect(found.clips(of: newest).map(\.name) == [name(1, newest), name(0, newest)])
            #expect(found.clips(of: printer).isEmpty && found.printers == [newest])
        }
        #expect(ClipFolder(path: path).owed.map(\.name) == (0..<3).map { name($0, newest) })
        await ClipFolder.keepClips(of: newest, as: printer, in: path) {}
        follow([printer], folder)
        #expect(folder.written.contains(name(0)), "the first name again")
        try folder.promise(name(9, new))
        await ClipFolder.keepClips(of: new, as: newest, in: path) {}
        await ClipFolder.keepClips(of: newest, as: last, in: path) {}
        follow([printer, newest, last], folder)
        #expect(folder.state(of: name(9, last)) == .promised, "renamed twice, and the name between is in use")
        follow([new], folder)
        #expect(folder.printers.isEmpty, "a printer that is gone")
    }

    @Test func `Clips are copied once, and a copy goes with its clip unless somebody changed it`() async throws {
        let media = directory.file("of others/media").path
        var limits = ClipLimits()
        limits.clipsOfPrinter = 6
        func open() -> ClipFolder { ClipFolder(path: path, limits: limits, copies: media) }
        func copy(_ second: Int) -> String { "\(media)/p1/\(name(second)).mp4" }
        func add(_ second: Int, _ folder: ClipFolder) async throws {
            try folder.promise(name(second))
            try await folder.store(.film, of: name(second), [[1, 2, 3]])
            folder.settle(name(second))
        }
        let folder = open()
        for second in 0..<6 { try await add(second, folder) }
        // Files of other programs.
        try FileManager.default.createDirectory(atPath: media + "/p1", withIntermediateDirectories: true)
        for file in [copy(0), copy(1) + ".part"] { try Data([9, 9, 9]).write(to: URL(filePath: file)) }
        for second in 0..<2 { await #expect(throws: SystemFailure.self) { try await folder.copy(name(second)) } }
        for second in 2..<6 { try await folder.copy(name(second)) }
        #expect(FileManager.default.contents(atPath: copy(2)) == Data([1, 2, 3]))
        // Somebody changes a copy, and removes another one.
        try Data([7, 8, 9]).write(to: URL(filePath: copy(3)))
        try FileManager.default.removeItem(atPath: copy(4))
        // Killed while it copied.
        try FileManager.default.moveItem(atPath: copy(5), toPath: copy(5) + ".part")
        let note = folder.file(name(5), .film).replacing(".mp4", with: ".copied")
        try Data("begun\n\(copy(5))".utf8).write(to: URL(filePath: note))

        let next = open()
        for name in next.written.dropFirst(2) { try await next.copy(name) }
        var left = Set(try FileManager.default.contentsOfDirectory(atPath: media + "/p1"))
        #expect(left == Set(["\(name(0)).mp4", "\(name(1)).mp4.part"] + [2, 3, 5].map { "\(name($0)).mp4" }))
        for second in 6..<10 { try await add(second, next) }
        next.remove(printer)
        left = Set(try FileManager.default.contentsOfDirectory(atPath: media + "/p1"))
        #expect(left == ["\(name(0)).mp4", "\(name(1)).mp4.part", "\(name(3)).mp4"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `Clips go when others need their place`() async throws {
        var limits = ClipLimits()
        limits.clipsOfPrinter = 2
        let folder = ClipFolder(path: path, limits: limits)
        for second in 0..<4 {
            try folder.promise(name(second))
            try await folder.store(.film, of: name(second), [[1]])
            if second > 0 { folder.settle(name(second)) }
        }
        #expect(folder.clips(of: printer).map(\.name) == [name(3), name(2)])
        // Nobody had been told of the first one.
        let problem = "Newer clips took its place."
        #expect(
            ClipFolder(path: folder.path).owed.map { "\($0.name): \($0.problem ?? "")" } == ["\(name(0)): \(problem)"]
        )
    }
}

/// A part of a film, before and after which something else happens.
private struct PartBetween: Sequence, IteratorProtocol, Sendable {
    var part: [UInt8]?
    let body: @Sendable () -> Void

    mutating func next() -> [UInt8]? {
        body()
        defer { part = nil }
        return part
    }
}
