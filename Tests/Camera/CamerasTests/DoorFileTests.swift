import Foundation
import StoredSettings
import TestSupport
import Testing

@testable import Cameras

@Suite("What the owner of the cameras remembers") struct DoorFileTests {
    private let directory: TemporaryDirectory
    private let clock = LockedValue(1_000.0)
    private var path: String { directory.file("door").path }

    init() throws { directory = try TemporaryDirectory() }

    private func file(_ path: String? = nil) -> DoorFile {
        DoorFile(path: path ?? self.path) { [clock] in clock.value }
    }

    @Test func `A kill forgets nothing, and a document is there until its time is over`() {
        let first = file()
        first.set("a", ["x": 1], for: 60)
        first.set("b", ["x": 2], for: 120)
        first.set("a", ["x": 3], for: 60)
        let second = file()
        #expect(["a", "b", "c"].map { second[$0]?["x"] } == [3, 2, nil])
        clock.value += 60
        for file in [second, file()] { #expect(["a", "b"].map { file[$0]?["x"] } == [nil, 2]) }
    }

    @Test func `What is removed is gone from the file at once`() throws {
        let file = file()
        file.set("a", ["x": "canary"], for: 60)
        file.set("b", ["x": 2], for: 60)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("canary"))
        file.remove(["a", "c"])
        #expect(file["a"] == nil && self.file()["b"]?["x"] == 2)
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("canary"))
    }

    @Test func `The file stays small under repeated writes and loses nothing when it is rewritten`() throws {
        let file = file()
        file.set("kept", ["x": 0], for: 60)
        var largest = 0
        for number in 0..<5_000 {
            file.set("a", ["x": .int(number), "text": .string(String(repeating: "a", count: 100))], for: 60)
            if number % 100 == 0 { largest = max(largest, try Data(contentsOf: URL(filePath: path)).count) }
        }
        #expect((60_000...70_000).contains(largest), "\(largest)")
        let again = self.file()
        #expect(again["a"]?["x"] == 4_999 && again["kept"]?["x"] == 0)
    }

    @Test func `Half a line is left out, and the next document does not suffer from it`() throws {
        file().set("a", ["x": 1], for: 60)
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(#"["b",1060,{"x""#.utf8))
        try handle.close()
        let file = file()
        #expect(file["a"]?["x"] == 1 && file["b"] == nil)
        file.set("c", ["x": 2], for: 60)
        #expect(self.file()["c"]?["x"] == 2)
    }

    @Test(arguments: ["", "{", "\u{0}\n\n", "[\"printer2mqtt\",\"7\"]\n[\"a\",1060,{\"x\":1}]\n"])
    func `A damaged file, and one of another start of the machine, count as empty`(text: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let file = file()
        #expect(file["a"] == nil)
        file.set("a", ["x": 2], for: 60)
        #expect(self.file()["a"]?["x"] == 2)
    }

    @Test func `What cannot be written stays in memory until it can`() throws {
        let path = directory.file("none/door").path
        let blocked = file(path)
        for file in [DoorFile(), blocked] {
            file.set("a", ["x": 1], for: 60)
            #expect(file["a"]?["x"] == 1)
        }
        try FileManager.default.createDirectory(at: directory.file("none"), withIntermediateDirectories: true)
        clock.value += 10
        blocked.set("b", ["x": 2], for: 60)
        #expect(file(path)["a"]?["x"] == 1)
    }

    @Test func `The file is its owner's alone`() throws {
        file().set("a", [:], for: 60)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }
}
