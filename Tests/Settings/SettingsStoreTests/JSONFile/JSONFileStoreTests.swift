import Foundation
import SettingsSamples
import SettingsTesting
import StoredSettings
import TestSupport
import Testing

@Suite("a JSON file store")
struct JSONFileStoreTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("state/s.json").path }
    private let key = SettingsKey("x", default: 0)

    init() throws { directory = try TemporaryDirectory() }

    private func open() throws -> JSONFileSettingsStore { try JSONFileSettingsStore(path: path, sealer: sealer()) }

    /// A store, and a model of scope `a` over it whose setting was stored.
    private func openModel() async throws -> (JSONFileSettingsStore, SettingsStorage) {
        let store = try open()
        let storage = SettingsStorage(scope: "a", schema: SettingsSchema(key), store: store)
        storage[key] = 1
        try await storage.commit()
        return (store, storage)
    }

    private func fill() async throws {
        let store = try open()
        try await store.put("a", ["x": 1, "code": .secret("canary-9")])
        store.close()
    }

    private func edit(_ change: (String) -> String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try change(text).write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test func `A JSON file store writes nothing when there is nothing to write`() async throws {
        try await fill()
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        let store = try open()
        try await store.put("a", ["x": 1])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
    }

    @Test func `A JSON file store follows a symbolic link, and does not replace it`() async throws {
        try FileManager.default.createDirectory(at: directory.file("real"), withIntermediateDirectories: true)
        let link = directory.file("link.json").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real/s.json")
        let store = try JSONFileSettingsStore(path: link)
        try await store.put("a", ["x": 1])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real/s.json")
        #expect(try JSONFileSettingsStore(path: directory.file("real/s.json").path).record("a")?.values == ["x": 1])
    }

    @Test func `A secret that was moved to another place does not open there`() async throws {
        try await fill()
        try edit { $0.replacing("\"code\"", with: "\"other\"") }
        let record = try open().record("a")
        #expect(record?.values["other"] == nil && record?.damaged.keys.sorted() == ["other"])
    }

    @Test func `A JSON file store accepts edits by hand while it runs and keeps unknown content`() async throws {
        try await fill()
        let store = try open()
        var changes = store.changes().makeAsyncIterator()
        try edit {
            $0.replacing("\"x\": 1", with: "\"x\": 2").replacing("\"format\"", with: "\"theirs\": 1, \"format\"")
        }
        #expect(await changes.next()?.scopes == ["a"])
        #expect(try store.record("a")?.values["x"] == 2)
        let revision = try #require(try store.record("a")?.revision)
        try edit { $0.replacing("\"x\": 2", with: "\"x\": 4") }
        #expect(await changes.next()?.scopes == ["a"])
        #expect(try store.record("a")?.revision == revision + 1, "a revision never goes back")
        try await store.put("a", ["x": 3])
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"theirs\": 1"))
    }

    @Test func `A JSON file store gives a model the edit by hand made just before the model's commit`() async throws {
        let own = SettingsKey("y", default: 0)
        let (_, storage) = try await openModel()
        for round in 1...40 {
            storage[own] = round
            try await storage.commit()
            try edit { $0.replacing("\"x\": \(round)", with: "\"x\": \(round + 1)") }
            storage[own] = -round
            try await storage.commit()
            try await eventually("the value of the file") { storage[key] == round + 1 }
        }
    }

    @Test(arguments: [false, true])
    func `A file that was removed while in use is written anew, also without a change`(isChanged: Bool) async throws {
        let (_, storage) = try await openModel()
        try FileManager.default.removeItem(atPath: path)
        if isChanged { storage[key] = 2 }
        try await storage.commit()
        try await eventually("the file") { FileManager.default.fileExists(atPath: path) }
        #expect(storage.error(of: key) == nil)
        #expect(try open().record("a")?.values == ["x": isChanged ? 2 : 1])
    }

    @Test(arguments: [false, true])
    func `A removed file that cannot be written anew, as without its folder, is an error until it is`(
        hasFolder: Bool
    ) async throws {
        let (_, storage) = try await openModel()
        let folder = directory.file("state")
        // In the place of the draft.
        let obstacle = URL(fileURLWithPath: path + ".new/obstacle")
        if hasFolder { try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true) }
        try FileManager.default.removeItem(at: hasFolder ? URL(fileURLWithPath: path) : folder)
        let reason = hasFolder ? "cannot be opened" : "make it again"
        try await eventually("the error") { storage.error(of: key)?.message.contains(reason) == true }
        // The model reads again after a second.
        try await Task.sleep(for: .seconds(1.5))
        await #expect(throws: SettingsError.self) { try await storage.commit() }
        if hasFolder { try FileManager.default.removeItem(at: obstacle.deletingLastPathComponent()) }
        if !hasFolder { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false) }
        try await eventually("the file") {
            FileManager.default.fileExists(atPath: path) && storage.error(of: key) == nil
        }
        #expect(try open().record("a")?.values == ["x": 1])
    }

    @Test func `A file that an editor breaks is an error of all unassigned models until it is repaired`() async throws {
        let (store, model) = try await openModel()
        let models = [model, SettingsStorage(scope: "nothing stored", schema: SettingsSchema(key), store: store)]
        let whole = try String(contentsOfFile: path, encoding: .utf8)
        try edit { String($0.dropLast(9)) }
        try await eventually("the errors") { models.allSatisfy { $0.error(of: key)?.code == .corrupted } }
        #expect(models[0][key] == 1)
        try edit { _ in whole }
        try await eventually("no errors") { models.allSatisfy { $0.error(of: key) == nil } }
        #expect(models[0][key] == 1)
    }

    @Test(
        arguments: [
            ("", .corrupted), ("[", .corrupted), (#"{"format": 1"#, .corrupted), (#"{"format": 1}"#, .corrupted),
            (#"{"format": 2}"#, .newerSchema), ("{}", .foreignFile), ("null", .foreignFile),
            (#"{"format": "png"}"#, .foreignFile),
            // The next change would overflow.
            (#"{"format": 1, "epoch": "e", "scopes": {"a": {"revision": \#(Int.max), "values": {}}}}"#, .corrupted),
            (#"{"format": 1, "epoch": "e", "scopes": {"a": {"revision": 3.5, "values": {}}}}"#, .corrupted),
            (#"{"format": 1, "epoch": "e", "scopes": {"a": {"revision": 3, "valves": {}}}}"#, .corrupted),
            (#"{"format": 1, "epoch": "", "scopes": {}}"#, .corrupted),
        ] as [(String, SettingsError.Code)]
    )
    func `A JSON file store refuses a damaged, newer or foreign file and leaves it unchanged`(
        text: String,
        code: SettingsError.Code
    ) async throws {
        try await fill()
        let store = try open()
        try Data(text.utf8).write(to: directory.file("state/s.json"))
        for read in [{ _ = try self.open() }, { _ = try store.record("a") }] {
            let error = #expect(throws: SettingsError.self) { try read() }
            #expect(error?.code == code && error?.message.contains(path) == true)
        }
        #expect(try Data(contentsOf: directory.file("state/s.json")) == Data(text.utf8))
    }
}
