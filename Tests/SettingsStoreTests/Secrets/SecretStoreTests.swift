import Foundation
import Settings
import TestSupport
import Testing

@Suite("a store of secrets")
struct SecretStoreTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let texts = [
        "", "plain", "ends with a line feed\n", "é😀\u{0}", String(repeating: "x", count: 100_000),
    ]

    @Test("gives back what was stored, by name, and nil for what is missing", arguments: SecretStoreKind.allCases)
    func stores(kind: SecretStoreKind) async throws {
        let store = try kind.open(directory)
        #expect(try store.secret("a") == nil)
        for text in Self.texts {
            try await store.setSecret(Secret(text), for: "a")
            #expect(try store.secret("a")?.reveal() == text)
        }
        let names = ["a/b", "../a", ".hidden", "A b", "ä", "a%2Fb", String(repeating: "n", count: 100)]
        for name in names { try await store.setSecret(Secret(name), for: name) }
        for name in names { #expect(try store.secret(name)?.reveal() == name) }
    }

    @Test("removes with nil, also what is not there", arguments: SecretStoreKind.allCases)
    func removes(kind: SecretStoreKind) async throws {
        let store = try kind.open(directory)
        try await store.setSecret(nil, for: "a")
        try await store.setSecret("x", for: "a")
        try await store.setSecret("y", for: "b")
        try await store.setSecret(nil, for: "a")
        #expect(try store.secret("a") == nil)
        #expect(try store.secret("b") == "y")
    }

    @Test("takes two spellings of one text as one name", arguments: SecretStoreKind.allCases)
    func spellings(kind: SecretStoreKind) async throws {
        let store = try kind.open(directory)
        // The last is the sign for kelvin, which is spelt as the letter.
        for (one, other) in [("caf\u{E9}", "cafe\u{301}"), ("n\u{303}/x", "\u{F1}/x"), ("\u{212A}", "K")] {
            try await store.setSecret("x", for: one)
            #expect(try store.secret(other) == "x")
            try await store.setSecret("y", for: other)
            #expect(try store.secret(one) == "y")
            try await store.setSecret(nil, for: other)
            #expect(try store.secret(one) == nil)
        }
        #expect(try store.secret("cafe") == nil)
    }

    @Test("keeps them when it is opened again", arguments: [SecretStoreKind.files, .sqlite, .json])
    func lasts(kind: SecretStoreKind) async throws {
        try await kind.open(directory).setSecret("x", for: "a")
        #expect(try kind.open(directory).secret("a") == "x")
    }

    @Test("takes many at a time", arguments: SecretStoreKind.allCases)
    func concurrent(kind: SecretStoreKind) async throws {
        let stores = [try kind.open(directory), try kind.open(directory)]
        try await withThrowingTaskGroup { group in
            for index in 0..<50 {
                group.addTask { try await stores[index % 2].setSecret(Secret("\(index)"), for: "\(index)") }
            }
            try await group.waitForAll()
        }
        for index in 0..<50 { #expect(try stores[index % 2].secret("\(index)")?.reveal() == "\(index)") }
    }

    @Test("over settings is sealed, refuses without a key, and does not take clear text for a secret")
    func overSettings() async throws {
        let path = directory.file("s").path
        try await SecretStoreKind.json.open(directory).setSecret("canary", for: "a")
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("canary"))
        let base = try FileStoreKind.json.open(path, .init(key: nil))
        let store = SettingsSecretStore(base)
        let read = #expect(throws: SettingsError.self) { try store.secret("a") }
        #expect(read?.code == .noKey)
        let written = await #expect(throws: SettingsError.self) { try await store.setSecret("x", for: "b") }
        #expect(written?.code == .noKey)
        try await base.transact { try $0.update("other", ["plain": "text"], by: "test", at: Date()) }
        let plain = #expect(throws: SettingsError.self) {
            try SettingsSecretStore(base, scope: "other").secret("plain")
        }
        #expect(plain?.code == .wrongType)
    }
}
