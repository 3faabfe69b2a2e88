import Foundation
import Settings
import SettingsTesting
import TestSupport
import Testing

private let secret = StoredValue.secret("canary-0815-access-code")

@Suite("a change of the key of a store")
struct KeyRotationTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("store").path }

    init() throws { directory = try TemporaryDirectory() }

    /// Closed again.
    private func fill(_ kind: FileStoreKind) async throws -> [String: SettingsRecord] {
        let store = try kind.open(path)
        try await store.transact { transaction in
            for index in 0..<20 {
                try transaction.update(
                    "p/\(index)",
                    ["x": .int(index), "code": secret, "pin": .secret("")],
                    by: "test",
                    at: Date()
                )
            }
        }
        let records = try store.records(prefix: "")
        try store.shut()
        return records
    }

    @Test("leaves every value as it was, for the new key only", arguments: FileStoreKind.allCases)
    func rotates(kind: FileStoreKind) async throws {
        let before = try await fill(kind)
        let store = try kind.open(path)
        try await store.rotate(to: ToySealer(key: 2))
        #expect(try store.records(prefix: "") == before)
        try await store.transact { try $0.update("new", ["code": secret], by: "test", at: Date()) }
        try store.shut()
        let error = #expect(throws: SettingsError.self) { try kind.open(path) }
        #expect(error?.code == .wrongKey)
        let again = try kind.open(path, .init(key: 2))
        #expect(try again.records(prefix: "p/") == before)
        #expect(try again.record("new")?.values == ["code": secret])
    }

    @Test("leaves nothing that the old key sealed in any file", arguments: FileStoreKind.allCases)
    func scrubs(kind: FileStoreKind) async throws {
        _ = try await fill(kind)
        let store = try kind.open(path)
        try await store.transact { try $0.remove("p/3") }
        #expect(try files(hold: 1))
        try await store.rotate(to: ToySealer(key: 2))
        #expect(try !files(hold: 1))
        #expect(try files(hold: 2))
        try store.shut()
        #expect(try !files(hold: 1))
    }

    /// Whether any file has a secret as that key seals it, in bytes or in Base64.
    private func files(hold key: UInt64) throws -> Bool {
        // The same for each place but for the last bytes; of a length that Base64 ends at.
        let sealed = Data(
            ToySealer(key: key).seal(Array("canary-0815-access-code".utf8), authenticating: []).prefix(21)
        )
        return try FileManager.default.contentsOfDirectory(at: directory.url, includingPropertiesForKeys: nil)
            .map { try Data(contentsOf: $0) }
            .contains { $0.range(of: sealed) != nil || $0.range(of: Data(sealed.base64EncodedString().utf8)) != nil }
    }

    @Test("is made up for when the store is opened with both keys", arguments: FileStoreKind.allCases)
    func opensWithBoth(kind: FileStoreKind) async throws {
        let before = try await fill(kind)
        let looked = try kind.open(path, .init(key: 2, former: [1], readOnly: true))
        #expect(try looked.records(prefix: "") == before)
        try looked.shut()
        for _ in 0..<2 {
            let store = try kind.open(path, .init(key: 2, former: [3, 1]))
            #expect(try store.records(prefix: "") == before)
            try store.shut()
        }
        #expect(throws: SettingsError.self) { try kind.open(path) }
        #expect(try kind.open(path, .init(key: 2)).records(prefix: "") == before)
    }

    @Test("is refused as a whole when one secret does not open", arguments: FileStoreKind.allCases)
    func damagedSecret(kind: FileStoreKind) async throws {
        let before = try await fill(kind)
        // Sealed for another place.
        try await move("code", to: "moved", of: kind)
        let store = try kind.open(path)
        let error = await #expect(throws: SettingsError.self) { try await store.rotate(to: ToySealer(key: 2)) }
        #expect(error?.code == .corrupted)
        #expect(error?.message.contains("p/7 moved") == true)
        #expect(try store.record("p/8") == before["p/8"])
        try store.shut()
        #expect(try kind.open(path).record("p/8") == before["p/8"])
        let opened = #expect(throws: SettingsError.self) { try kind.open(path, .init(key: 2, former: [1])) }
        #expect(opened?.code == .corrupted)
        #expect(try kind.open(path).record("p/8") == before["p/8"])
    }

    private func move(_ key: String, to name: String, of kind: FileStoreKind) async throws {
        switch kind {
        case .sqlite:
            let sql = """
                UPDATE setting SET key = '\(name)'
                WHERE key = '\(key)' AND scope = (SELECT id FROM scope WHERE name = 'p/7');
                UPDATE scope SET checksum = NULL;
                """
            let shell = try ChildProcess("sqlite3", [path, sql], log: directory.file("sqlite3.log"))
            #expect(await shell.exitStatus() == 0)
        case .json:
            var root = try #require(StoredValue(json: Data(contentsOf: directory.file("store"))).objectValue)
            var scopes = try #require(root["scopes"]?.objectValue)
            var scope = try #require(scopes["p/7"]?.objectValue)
            var secrets = try #require(scope["secrets"]?.objectValue)
            secrets[name] = secrets.removeValue(forKey: key)
            scope["secrets"] = .object(secrets)
            scopes["p/7"] = .object(scope)
            root["scopes"] = .object(scopes)
            root["checksum"] = ""
            try Data(StoredValue.object(root).json().utf8).write(to: directory.file("store"))
        }
    }

    @Test("is noticed by another who has the old key only, and hides no other value", arguments: FileStoreKind.allCases)
    func others(kind: FileStoreKind) async throws {
        _ = try await fill(kind)
        let other = try kind.open(path)
        try await other.transact { try $0.update("plain", ["x": 1], by: "test", at: Date()) }
        let store = try kind.open(path)
        try await store.rotate(to: ToySealer(key: 2))
        let read = #expect(throws: SettingsError.self) { try other.record("p/1") }
        #expect(read?.code == .wrongKey)
        let written = await #expect(throws: SettingsError.self) {
            try await other.transact { try $0.update("plain", ["code": secret], by: "test", at: Date()) }
        }
        #expect(written?.code == .wrongKey)
        #expect(try other.record("plain")?.values == ["x": 1])
        try await other.rotate(to: ToySealer(key: 2))
        #expect(try other.record("p/1")?.values["code"] == secret)
    }

    @Test("is not noticed by whoever reads and writes meanwhile", arguments: FileStoreKind.allCases)
    func meanwhile(kind: FileStoreKind) async throws {
        let before = try await fill(kind)
        let store = try kind.open(path)
        let rotations = Task { for key in 2...12 { try await store.rotate(to: ToySealer(key: UInt64(key))) } }
        let writes = Task {
            for value in 1...50 {
                try await store.transact {
                    try $0.update("w", ["x": .int(value), "code": secret], by: "test", at: Date())
                }
            }
        }
        for _ in 0..<100 {
            #expect(try store.record("p/3") == before["p/3"])
            await Task.yield()
        }
        try await rotations.value
        try await writes.value
        try store.shut()
        let again = try kind.open(path, .init(key: 12))
        #expect(try again.records(prefix: "p/") == before)
        #expect(try again.record("w")?.values == ["x": 50, "code": secret])
    }

    @Test("needs the key that is in force", arguments: FileStoreKind.allCases)
    func withoutKey(kind: FileStoreKind) async throws {
        let before = try await fill(kind)
        let store = try kind.open(path, .init(key: nil))
        let error = await #expect(throws: SettingsError.self) { try await store.rotate(to: ToySealer(key: 2)) }
        #expect(error?.code == .wrongKey || error?.code == .noKey)
        try store.shut()
        #expect(try kind.open(path).records(prefix: "") == before)
        let reading = try kind.open(path, .init(readOnly: true))
        let refused = await #expect(throws: SettingsError.self) { try await reading.rotate(to: ToySealer(key: 2)) }
        #expect(refused?.code == .readOnly)
    }

    @Test("gives a new store its first key", arguments: FileStoreKind.allCases)
    func firstKey(kind: FileStoreKind) async throws {
        let store = try kind.open(path, .init(key: nil))
        try await store.rotate(to: ToySealer(key: 2))
        try await store.transact { try $0.update("a", ["code": secret], by: "test", at: Date()) }
        try store.shut()
        #expect(try kind.open(path, .init(key: 2)).record("a")?.values == ["code": secret])
    }
}
