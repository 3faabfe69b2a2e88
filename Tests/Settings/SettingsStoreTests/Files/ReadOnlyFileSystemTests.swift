import Foundation
import StoredSettings
import TestSupport
import Testing

@Suite(
    "a store on a file system that permits no writing",
    .enabled(if: SmallFileSystem.isPossible, "only root may mount a file system")
)
struct ReadOnlyFileSystemTests {
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
        try await store.transact { try $0.update("a", ["x": 1, "s": .secret("s")], by: "test", at: Date()) }
        try store.close()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try await disk.seal()
        let sealed = try kind.open(path)
        #expect(try sealed.record("a")?.values == ["x": 1, "s": .secret("s")])
        let error = await #expect(throws: SettingsError.self) {
            try await sealed.transact { try $0.update("a", ["x": 2], by: "test", at: Date()) }
        }
        #expect(error?.code == .readOnly)
        #expect(try sealed.record("a")?.values["x"] == 1)
        let key = SettingsKey("x", default: 0)
        let storage = SettingsStorage(scope: "a", schema: SettingsSchema(key), store: sealed)
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
        try await store.transact { try $0.update("a", ["x": 1], by: "test", at: Date()) }
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
        let error = #expect(throws: SettingsError.self) { try kind.open(disk.path + "/store") }
        #expect(error?.code == .readOnly)
    }
}
