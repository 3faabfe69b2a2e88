import Foundation
import SettingsSamples
import SettingsTesting
import StoredSettings
import Testing

@Suite("a store without space", .enabled(if: SmallFileSystem.isPossible, "only root may mount a file system"))
struct FullDiskTests {
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
        try await store.transact { try $0.update("after", ["x": 1], by: "test", at: Date()) }
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
        try FileManager.default.removeItem(atPath: ballast)
        try await expectWhole(kind, path, count: count)
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A store is not made on a full file system, and nothing of it is left`(kind: FileStoreKind) async throws {
        let disk = try SmallFileSystem(kilobytes: 16)
        try fill(disk.path + "/ballast")
        let error = #expect(throws: SettingsError.self) { try kind.open(disk.path + "/store") }
        #expect(error?.code == .full)
        let names = try FileManager.default.contentsOfDirectory(atPath: disk.path)
        #expect(names.filter { $0 != "store.lock" } == ["ballast"])
        try FileManager.default.removeItem(atPath: disk.path + "/ballast")
        if kind == .json { #expect(try kind.open(disk.path + "/store").scopes(prefix: "") == []) }
    }

    private func fill(_ path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        while (try? file.write(contentsOf: Data(count: 1000))) != nil {}
        try file.close()
    }
}
