import Foundation
import Settings
import TestSupport
import Testing

@Suite("a store that is only looked at")
struct MaskedSecretsTests {
    @Test(
        "shows everything but its secrets to those without the key",
        arguments: FileStoreKind.allCases,
        [nil, 2] as [UInt64?]
    )
    func masked(kind: FileStoreKind, key: UInt64?) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("store").path
        let store = try kind.open(path)
        try await store.transact {
            try $0.update("a", ["x": 1, "code": .secret("canary-9")], by: "test", at: Date())
        }
        try store.shut()
        let looked = try kind.open(path, .init(key: key, masksSecrets: true))
        #expect(try looked.record("a")?.values == ["x": 1, "code": .secret("********")])
        #expect(try looked.records(prefix: "") == ["a": looked.record("a")])
        let error = await #expect(throws: SettingsError.self) { try await looked.transact { try $0.remove("a") } }
        #expect(error?.code == .readOnly)
        try looked.shut()
        #expect(try kind.open(path).record("a")?.values["code"] == .secret("canary-9"))
    }
}
