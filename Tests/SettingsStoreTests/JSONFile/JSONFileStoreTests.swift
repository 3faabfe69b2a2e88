import Foundation
import Settings
import SettingsTesting
import Synchronization
import TestSupport
import Testing

@Suite("a JSON file store")
struct JSONFileStoreTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("state/s.json").path }

    init() throws { directory = try TemporaryDirectory() }

    private func open(
        key: UInt64? = 1,
        options: JSONFileSettingsStore.Options = .init()
    ) throws -> JSONFileSettingsStore {
        try JSONFileSettingsStore(path: path, sealer: key.map(ToySealer.init), options: options)
    }

    private func fill() async throws {
        let store = try open()
        try await store.transact {
            try $0.update("a", ["x": 1, "code": .secret("canary-9")], by: "test", at: Date())
        }
        store.close()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.file("state").path).sorted()
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func edit(_ change: (String) -> String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let unchecked = text.replacing(/"checksum": "[0-9a-f]*"/, with: "\"checksum\": \"\"")
        try change(unchecked).write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test("makes its directory and files for their owner only, and leaves no drafts")
    func modes() async throws {
        try await fill()
        #expect(try mode(directory.file("state").path) == 0o700)
        #expect(try names() == ["s.json", "s.json.last", "s.json.lock"])
        for name in try names() { #expect(try mode(directory.file("state/\(name)").path) == 0o600) }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        _ = try open()
        #expect(try mode(path) == 0o600)
    }

    @Test("writes nothing when there is nothing to write")
    func idle() async throws {
        try await fill()
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        let store = try open()
        try await store.transact { try $0.update("a", ["x": 1], by: "test", at: Date()) }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
    }

    @Test("a thousand transactions that wait together cost a handful of writes")
    func groupCommit() async throws {
        let store = try open()
        try await withThrowingTaskGroup { group in
            for index in 0..<1000 {
                group.addTask {
                    try await store.transact { try $0.update("p/\(index)", ["x": 1], by: "test", at: Date()) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.scopes(prefix: "p/").count == 1000)
        let file = try SettingValue(
            json: Data(contentsOf: directory.file("state/s.json")),
            limits: JSONLimits(bytes: .max)
        )
        #expect(try #require(file.objectValue?["change"]?.intValue) < 100)
    }

    @Test("is dated after what it takes the place of, so that others notice it, also when the clock was put back")
    func clockPutBack() async throws {
        try await fill()
        let other = try open()
        var changes = other.changes().makeAsyncIterator()
        let future = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded() + 86_400)
        try FileManager.default.setAttributes([.modificationDate: future], ofItemAtPath: path)
        #expect(try other.record("a")?.values["x"] == 1)
        let store = try open()
        for value in 2...4 {
            // Of the same size, and maybe with the number of a file that is gone.
            try await store.transact { try $0.update("a", ["x": .int(value)], by: "test", at: Date()) }
            #expect(await changes.next()?.scopes == ["a"])
            #expect(try other.record("a")?.values["x"] == .int(value))
            let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            #expect(try #require(date) >= future)
        }
    }

    @Test("follows a symbolic link, and does not replace it")
    func link() async throws {
        try FileManager.default.createDirectory(at: directory.file("real"), withIntermediateDirectories: true)
        let link = directory.file("link.json").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real/s.json")
        let store = try JSONFileSettingsStore(path: link)
        try await store.transact { try $0.update("a", ["x": 1], by: "test", at: Date()) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real/s.json")
        #expect(try JSONFileSettingsStore(path: directory.file("real/s.json").path).record("a")?.values == ["x": 1])
    }

    @Test("a secret that was moved to another place does not open there")
    func movedSecret() async throws {
        try await fill()
        try edit { $0.replacing("\"code\"", with: "\"other\"") }
        let error = #expect(throws: SettingsError.self) { try open().record("a") }
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains("a other") == true)
    }

    @Test("takes what somebody edits by hand while it runs, and keeps what it does not know")
    func editedByHand() async throws {
        try await fill()
        let store = try open()
        var changes = store.changes().makeAsyncIterator()
        try edit {
            $0.replacing("\"x\": 1", with: "\"x\": 2").replacing("\"format\"", with: "\"theirs\": 1, \"format\"")
        }
        #expect(await changes.next()?.scopes == ["a"])
        #expect(try store.record("a")?.values["x"] == 2)
        try await store.transact { try $0.update("a", ["x": 3], by: "test", at: Date()) }
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"theirs\": 1"))
    }

    @Test(
        "uses the last good copy of a damaged file, says so, and keeps the damaged one",
        arguments: ["", "no JSON", "{\"format\": 1", "cut", "missing", "zeros"]
    )
    func recovers(damage: String) async throws {
        try await fill()
        let whole = try Data(contentsOf: directory.file("state/s.json"))
        let bytes =
            switch damage {
            case "cut": whole.prefix(whole.count / 2)
            case "zeros": Data(repeating: 0, count: whole.count)
            default: Data(damage.utf8)
            }
        try bytes.write(to: directory.file("state/s.json"))
        if damage == "missing" { try FileManager.default.removeItem(atPath: path) }

        let reports = Mutex<[SettingsError]>([])
        var options = JSONFileSettingsStore.Options()
        options.onRecovery = { error in reports.withLock { $0.append(error) } }
        let store = try open(options: options)
        #expect(try store.record("a")?.values == ["x": 1, "code": .secret("canary-9")])
        #expect(store.recovery?.message.contains(path) == true)
        #expect(reports.withLock { $0.count } == 1)
        if damage != "missing" {
            #expect(store.recovery?.message.contains(path + ".damaged-1") == true)
            #expect(try Data(contentsOf: directory.file("state/s.json.damaged-1")) == bytes)
        }
        #expect(try open().recovery == nil)
    }

    @Test("a file that is damaged while it is used is noticed, and the next write repairs it")
    func damagedInUse() async throws {
        let store = try open()
        for value in 1...2 {
            try await store.transact { try $0.update("a", ["x": .int(value)], by: "test", at: Date()) }
            try Data("garbage".utf8).write(to: directory.file("state/s.json"))
            #expect(try store.record("a")?.values == ["x": .int(value)])
            #expect(store.recovery?.code == .corrupted)
        }
        try await store.transact { try $0.update("a", ["y": 1], by: "test", at: Date()) }
        let again = try open()
        #expect(again.recovery == nil)
        #expect(try again.record("a")?.values == ["x": 2, "y": 1])
        #expect(try names().filter { $0.contains("damaged") } == ["s.json.damaged-1", "s.json.damaged-2"])
    }

    @Test(
        "refuses to begin anew where both copies are damaged, and touches neither",
        arguments: ["", "[", "{}", "null"]
    )
    func refuses(text: String) async throws {
        try await fill()
        for name in ["s.json", "s.json.last"] { try Data(text.utf8).write(to: directory.file("state/\(name)")) }
        let error = #expect(throws: SettingsError.self) { try open() }
        #expect(error?.code == (["{}", "null"].contains(text) ? .foreignFile : .corrupted))
        #expect(error?.message.contains(path) == true)
        #expect(try Data(contentsOf: directory.file("state/s.json")) == Data(text.utf8))
    }

    @Test("refuses a later version's file and one that is too large, and touches neither")
    func refusesToRead() async throws {
        try await fill()
        var small = JSONFileSettingsStore.Options()
        small.sizeLimit = 100
        let large = #expect(throws: SettingsError.self) { try open(options: small) }
        #expect(large?.message.contains("100 bytes") == true)
        try edit { $0.replacing("\"format\": 1", with: "\"format\": 2") }
        let before = try Data(contentsOf: directory.file("state/s.json"))
        let newer = #expect(throws: SettingsError.self) { try open() }
        #expect(newer?.code == .newerSchema)
        #expect(try Data(contentsOf: directory.file("state/s.json")) == before)
    }

    @Test("refuses to grow beyond its limit, and stays as it was")
    func full() async throws {
        var options = JSONFileSettingsStore.Options()
        options.sizeLimit = 2000
        let store = try open(options: options)
        try await store.transact { try $0.update("a", ["x": 1], by: "test", at: Date()) }
        let error = await #expect(throws: SettingsError.self) {
            try await store.transact {
                try $0.update("a", ["x": .string(String(repeating: "é", count: 2000))], by: "test", at: Date())
            }
        }
        #expect(error?.code == .full)
        #expect(try store.record("a")?.values == ["x": 1])
    }

    @Test("waits for another process's lock, and says so when it takes too long")
    func busy() async throws {
        try await fill()
        var options = JSONFileSettingsStore.Options()
        options.busyTimeout = .milliseconds(50)
        let impatient = try open(options: options)
        let patient = try open()
        let holder = try ChildProcess(
            "flock",
            ["--no-fork", path + ".lock", "sh", "-c", "echo held; exec sleep 60"],
            log: directory.file("flock.log")
        )
        try await holder.waitForOutput("held")
        let error = await #expect(throws: SettingsError.self) {
            try await impatient.transact { try $0.update("a", ["x": 2], by: "test", at: Date()) }
        }
        #expect(error?.code == .busy)
        #expect(try impatient.record("a")?.values["x"] == 1)
        let waiting = Task { try await patient.transact { try $0.update("a", ["x": 3], by: "test", at: Date()) } }
        await holder.stop(SIGKILL)
        #expect(try await waiting.value.values["x"] == 3)
    }

    @Test("what is in its place and no file is refused")
    func noFile() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let error = #expect(throws: SettingsError.self) { try open() }
        #expect(error?.message.contains("no regular file") == true)
    }
}
