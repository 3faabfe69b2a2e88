import Foundation
import StoredSettings
import TestSupport
import Testing

@Suite(
    "a store on a file system that permits no writing",
    .enabled(if: SmallFileSystem.isPossible, "only root may mount a file system")
)
struct ReadOnlyFileSystemTests {
    @Test("says why it cannot be written", arguments: FileStoreKind.allCases)
    func existing(kind: FileStoreKind) async throws {
        let disk = try SmallFileSystem(kilobytes: 500)
        let path = disk.path + "/store"
        let store = try kind.open(path)
        try await store.transact { try $0.update("a", ["x": 1, "s": .secret("s")], by: "test", at: Date()) }
        try store.shut()
        try await disk.seal()
        let error = await #expect(throws: SettingsError.self) {
            let store = try kind.open(path)
            try await store.transact { try $0.update("a", ["x": 2], by: "test", at: Date()) }
        }
        #expect(error?.code == .readOnly)
        #expect(error?.message.contains(path) == true)
    }

    @Test("is not made there", arguments: FileStoreKind.allCases)
    func missing(kind: FileStoreKind) async throws {
        let disk = try SmallFileSystem(kilobytes: 500)
        try await disk.seal()
        let error = #expect(throws: SettingsError.self) { try kind.open(disk.path + "/store") }
        #expect(error?.code == .readOnly)
    }
}
