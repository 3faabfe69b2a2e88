import Foundation
import SettingsSamples
import StoredSettings
import TestSupport
import Testing

@Suite("a store that keeps a file")
struct FileStoreTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("state/store").path }

    init() throws { directory = try TemporaryDirectory() }

    private func fill(_ kind: FileStoreKind) async throws {
        let store = try kind.open(path)
        try await store.put("a", ["x": 1, "code": .secret("canary-9")])
        try store.shut()
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A file store refuses a wrong key unharmed, and opens with the right one`(kind: FileStoreKind) async throws {
        try await fill(kind)
        let error = #expect(throws: SettingsError.self) { try kind.open(path, key: 2) }
        #expect(error?.code == .wrongKey)
        #expect(error?.message.contains("toy-1") == true)
        #expect(try kind.open(path).record("a")?.values["code"] == .secret("canary-9"))
    }

    @Test(arguments: FileStoreKind.allCases)
    func `Without a key it keeps all but secrets, and nothing of one in clear`(kind: FileStoreKind) async throws {
        try await fill(kind)
        let store = try kind.open(path, key: nil)
        #expect(try store.scopes(prefix: "") == ["a"])
        let read = #expect(throws: SettingsError.self) { try store.record("a") }
        #expect(read?.code == .noKey)
        let written = await #expect(throws: SettingsError.self) {
            try await store.put("b", ["code": .secret("canary-9")])
        }
        #expect(written?.code == .noKey)
        #expect(try store.record("b") == nil)
        try await store.put("b", ["x": 1])
        #expect(try store.record("b")?.values == ["x": 1])
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.file("state").path) {
            let bytes = try Data(contentsOf: directory.file("state/\(name)"))
            #expect(bytes.range(of: Data("canary".utf8)) == nil, "\(name)")
        }
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A store that keeps a file says after it was closed that it was`(kind: FileStoreKind) async throws {
        let store = try kind.open(path)
        try store.shut()
        let written = await #expect(throws: SettingsError.self) { try await store.put("a", [:]) }
        #expect(written?.code == .closed)
        #expect(throws: SettingsError.self) { try store.record("a") }
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A store that keeps a file is one store where many open a new file at a time`(kind: FileStoreKind) async throws
    {
        let epochs = try await withThrowingTaskGroup(of: String.self) { [path] group in
            for _ in 0..<8 { group.addTask { try kind.open(path).epoch } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(epochs.count == 1)
    }

    @Test func `A JSON file store gets one new epoch after a backup was copied over the file in place`() async throws {
        let kind = FileStoreKind.json
        func put(_ value: Int) async throws -> String {
            let store = try kind.open(path)
            try await store.put("a", ["x": .int(value)])
            defer { try? store.shut() }
            return try store.epoch
        }
        let epoch = try await put(1)
        let backup = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try await put(2) == epoch)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: backup)
        try file.close()
        let restored = try kind.open(path)
        #expect(try restored.record("a")?.values == ["x": 1])
        let other = try restored.epoch
        #expect(other != epoch)
        try restored.shut()
        #expect(try await put(3) == other)
        #expect(try await put(4) == other)
    }
}
