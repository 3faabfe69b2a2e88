import Foundation
import SettingsSamples
import SettingsTesting
import StoredSettings
import TestSupport
import Testing

@Suite(
    "a store on a file system that has no space or permits no writing",
    .enabled(if: SmallFileSystem.isPossible, "only root may mount a file system")
)
struct SmallFileSystemTests {
    private static let text = JSONValue.string(String(repeating: "long ", count: 200))

    /// Writes until it cannot; returns how many were acknowledged.
    private static func fill(_ kind: FileStoreKind, _ path: String) async throws -> Int {
        let store = try kind.open(path)
        var count = 0
        var failure: SettingsError?
        while failure == nil, count < 20_000 {
            let scope = "p/\(count)"
            do {
                try await store.put(scope, ["x": text, "s": .secret("s")])
                count += 1
            } catch let error as SettingsError {
                failure = error
            }
        }
        #expect(count > 0)
        #expect(failure?.code == .full || failure?.code == .inputOutput)
        #expect(failure?.message.contains(path) == true)
        #expect(try store.scopes(prefix: "p/").count == count)
        try? store.close()
        return count
    }

    /// All that was acknowledged is there, and there can be more.
    private func expectWhole(_ kind: FileStoreKind, _ path: String, count: Int) async throws {
        let store = try kind.open(path)
        let records = try store.records(prefix: "p/")
        #expect(records.count == count)
        #expect(records.values.allSatisfy { $0.values == ["x": Self.text, "s": .secret("s")] })
        try await store.put("after", ["x": 1])
        #expect(try store.record("after")?.values == ["x": 1])
        try store.close()
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A store on a full disk says so, loses nothing and goes on with space`(kind: FileStoreKind) async throws {
        let disk = try SmallFileSystem(kilobytes: 300)
        let path = disk.path + "/store"
        let ballast = disk.path + "/ballast"
        try Data(count: 60_000).write(to: URL(fileURLWithPath: ballast))
        let count = try await Self.fill(kind, path)
        // SQLite makes this file anew at the first open.
        unlink(path + "-shm")
        try disk.fill(disk.path + "/more")
        if kind == .sqlite { #expect(await errorCode { try kind.open(path) } == .full) }
        for file in [ballast, disk.path + "/more"] { try FileManager.default.removeItem(atPath: file) }
        try await expectWhole(kind, path, count: count)
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A store is not made on a full file system, and nothing of it is left`(kind: FileStoreKind) async throws {
        let disk = try SmallFileSystem(kilobytes: 16)
        try disk.fill(disk.path + "/ballast")
        #expect(await errorCode { try kind.open(disk.path + "/store") } == .full)
        let names = try FileManager.default.contentsOfDirectory(atPath: disk.path)
        #expect(names.filter { $0 != "store.lock" } == ["ballast"])
        try FileManager.default.removeItem(atPath: disk.path + "/ballast")
        if kind == .json { #expect(try kind.open(disk.path + "/store").scopes(prefix: "") == []) }
    }

    @Test(
        arguments: FileStoreKind.allCases,
        [0o600, 0o644]
    )
    func `On a read-only file system a store reads its values and explains why writing fails`(
        kind: FileStoreKind,
        mode: Int
    ) async throws {
        let disk = try SmallFileSystem(kilobytes: 500)
        let path = disk.path + "/store"
        let store = try kind.open(path)
        try await store.put("a", ["x": 1, "s": .secret("s")])
        try store.close()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try await disk.seal()
        let sealed = try kind.open(path)
        #expect(try sealed.record("a")?.values == ["x": 1, "s": .secret("s")])
        let error = await #expect(throws: SettingsError.self) { try await sealed.put("a", ["x": 2]) }
        #expect(error?.code == .readOnly && (kind == .json || error?.message.contains("restart") == true))
        #expect(try sealed.record("a")?.values["x"] == 1)
        let key = SettingsKey("y", default: 0, SettingMetadata(previousKeys: ["x"]))
        let storage = SettingsStorage(scope: "a", schema: SettingsSchema(key), store: sealed)
        try await storage.commit()
        #expect(storage[key] == 1 && storage.error == nil, "nothing was assigned")
        storage[key] = 3
        await #expect(throws: SettingsError.self) { try await storage.commit() }
        #expect(storage.error(of: key)?.code == .readOnly)
        #expect(error?.message.contains(path) == true)
    }

    @Test(arguments: [true, false])
    func `On a read-only file system a log needs its index, or an error advises`(hasIndex: Bool) async throws {
        let disk = try SmallFileSystem(kilobytes: 2000)
        let origin = try TemporaryDirectory()
        let path = disk.path + "/store"
        let store = try FileStoreKind.sqlite.open(origin.file("store").path)
        try await store.put("a", ["x": 1])
        for ending in hasIndex ? ["", "-wal", "-shm"] : ["", "-wal"] {
            try FileManager.default.copyItem(atPath: origin.file("store" + ending).path, toPath: path + ending)
        }
        try await disk.seal()
        if hasIndex {
            #expect(try FileStoreKind.sqlite.open(path).record("a")?.values == ["x": 1])
        } else {
            let error = #expect(throws: SettingsError.self) { try FileStoreKind.sqlite.open(path) }
            #expect(error?.code == .readOnly && error?.message.contains("open the store once") == true)
        }
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A store on a file system that permits no writing is not made there`(kind: FileStoreKind) async throws {
        let disk = try SmallFileSystem(kilobytes: 500)
        try await disk.seal()
        #expect(await errorCode { try kind.open(disk.path + "/store") } == .readOnly)
    }
}
