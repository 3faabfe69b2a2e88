import Foundation
import Settings
import SettingsTesting
import TestSupport
import Testing

/// How many files are damaged, for each kind of store: 5,000 with `SOAK=1`.
private let seeds: UInt64 = ProcessInfo.processInfo.environment["SOAK"] == "1" ? 5000 : 200

@Suite("a store whose bytes were changed")
struct DamagedBytesTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("store").path }

    init() throws { directory = try TemporaryDirectory() }

    private struct Contents: Equatable {
        var epoch: String
        var records: [String: SettingsRecord]
        var revisionOfRemoved: Int
    }

    /// What is stored in whole files, each under its name.
    private func fill(_ kind: FileStoreKind) async throws -> (contents: Contents, files: [String: [UInt8]]) {
        let store = try kind.open(path)
        try await store.transact { transaction in
            for scope in ["a", "b", "printer/é"] {
                try transaction.update(
                    scope,
                    [
                        "number": 5, "text": .string(String(repeating: "text ", count: 30)), "list": [1, 2.5, .null],
                        "object": ["x": true], "code": .secret("access"), "null": .null,
                    ],
                    by: "test",
                    at: Date(timeIntervalSince1970: 1_700_000_000),
                    applied: "m1"
                )
            }
            for _ in 0..<3 {
                try transaction.update("gone", ["x": 1], by: "test", at: Date())
                try transaction.remove("gone")
            }
        }
        let contents = try await contents(store)
        try store.shut()
        var files: [String: [UInt8]] = [:]
        for name in try names() { files[name] = [UInt8](try Data(contentsOf: directory.file(name))) }
        return (contents, files)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.url.path) }

    private func contents(_ store: any FileStore) async throws -> Contents {
        let records = try store.records(prefix: "")
        for scope in try store.scopes(prefix: "") {
            guard try store.record(scope) == records[scope] else { throw TestFailure("\(scope) has two records") }
        }
        var revision = 0
        do {
            try await store.transact { transaction -> Void in
                throw RevisionFound(try transaction.update("gone", [:], by: "test", at: Date()).revision)
            }
        } catch let found as RevisionFound {
            revision = found.revision
        }
        return Contents(epoch: try store.epoch, records: records, revisionOfRemoved: revision)
    }

    private struct RevisionFound: Error {
        let revision: Int
        init(_ revision: Int) { self.revision = revision }
    }

    private func put(_ files: [String: [UInt8]]) throws {
        for name in try names() where files[name] == nil {
            try FileManager.default.removeItem(at: directory.file(name))
        }
        for (name, bytes) in files { try Data(bytes).write(to: directory.file(name)) }
    }

    @Test("is whole or an error, and never has other values or none", arguments: FileStoreKind.allCases)
    func damaged(kind: FileStoreKind) async throws {
        let (expected, files) = try await fill(kind)
        var errors = 0
        for seed in 0..<seeds {
            var random = SeededGenerator(seed: seed)
            var damaged = files
            let damage = Damage.random(using: &random)
            // The last good copy has the same damage.
            for (name, bytes) in files where !bytes.isEmpty {
                var same = random
                damaged[name] = damage.apply(to: bytes, using: &same)
            }
            try put(damaged)
            do {
                let store = try kind.open(path)
                let found = try await contents(store)
                #expect(found == expected, "seed \(seed), \(damage)")
                try store.shut()
            } catch let error as SettingsError {
                errors += 1
                #expect(error.message.contains(path), "seed \(seed), \(damage): \(error)")
                #expect(!error.message.contains("access"))
            }
        }
        #expect(errors > seeds / 10)
    }

    @Test("of a JSON file is what the last good copy says, and that is told")
    func recovered() async throws {
        let (expected, files) = try await fill(.json)
        for seed in 0..<seeds {
            var random = SeededGenerator(seed: seed)
            var damaged = files
            let damage = Damage.random(using: &random)
            damaged["store"] = files["store"].map { damage.apply(to: $0, using: &random) }
            try put(damaged)
            let store = try JSONFileSettingsStore(path: path, sealer: ToySealer())
            let found = try await contents(store)
            #expect(found == expected, "seed \(seed), \(damage)")
            let isSame = try? SettingValue(json: damaged["store"] ?? []) == SettingValue(json: files["store"] ?? [])
            #expect((store.recovery == nil) == (isSame == true), "seed \(seed), \(damage)")
            store.close()
        }
    }

    @Test("which says that it has a gigabyte is refused at once", arguments: FileStoreKind.allCases)
    func enormous(kind: FileStoreKind) async throws {
        let store = try kind.open(path)
        try await store.transact { try $0.update("a", ["x": "needle"], by: "test", at: Date()) }
        try store.shut()
        for name in try names() where name.hasPrefix("store") && !name.hasSuffix(".lock") {
            switch kind {
            case .json: #expect(truncate(directory.file(name).path, 1 << 30) == 0)
            case .sqlite:
                var bytes = try Data(contentsOf: directory.file(name))
                // A row is its length, that of its header, four types, the key, and the value.
                let value = try #require(bytes.range(of: Data("\"needle\"".utf8))).lowerBound
                let row = value - 1 - 4 - 2
                // 4 times 2 to the 28th, as SQLite writes numbers.
                bytes.replaceSubrange(row..<row + 5, with: [0x84, 0x80, 0x80, 0x80, 0x00])
                try bytes.write(to: directory.file(name))
            }
        }
        let error = #expect(throws: SettingsError.self) { _ = try kind.open(path).record("a") }
        // A file may be meant to be that large; the length of a row is a lie.
        #expect(error?.code == (kind == .json ? .unavailable : .corrupted))
        #expect(error?.message.contains(path) == true)
    }
}
