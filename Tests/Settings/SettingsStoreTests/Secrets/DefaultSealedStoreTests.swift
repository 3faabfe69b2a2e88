import Foundation
import SettingsSecrets
import StoredSettings
import TestSupport
import Testing

@ObservableSettings(scope: "account")
private final class Account {
    @Secret var token = ""
}

/// Makes the default store in a folder, and seals a token in it.
private func seal(_ token: String, in folder: String) async throws {
    setenv("STATE_DIRECTORY", folder, 1)
    DefaultSettingsStore.store = try DefaultSettingsStore.openSealed()
    let account = Account()
    account.token = token
    try await account.commit()
}

@Suite("The default store with a key file")
struct DefaultSealedStoreTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func `The default store keeps secrets sealed over a restart, with the key in a private file`() async throws {
        let folder = directory.file("state").path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            try await seal("canary-11", in: folder)
        }
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            setenv("STATE_DIRECTORY", folder, 1)
            DefaultSettingsStore.store = try DefaultSettingsStore.openSealed()
            try #require(Account().token == "canary-11" && Account().error(of: \.token) == nil)
        }
        #expect(try !String(contentsOfFile: folder + "/settings.json", encoding: .utf8).contains("canary-11"))
        let key = try FileManager.default.attributesOfItem(atPath: folder + "/settings.key")
        #expect(key[.posixPermissions] as? Int == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("settings.key") }.count
                == 1
        )
    }

    @Test func `An invalid key, or a key of another store, is refused, and nothing is changed`() async throws {
        let file = directory.file("key").path
        let path = directory.file("settings.json").path
        let store = try JSONFileSettingsStore(path: path, sealer: StoreSealer(key: SealingKey(file: file)))
        let account = Account(store: store)
        account.token = "canary-12"
        try await account.commit()
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(throws: SettingsError.self) {
            try JSONFileSettingsStore(path: path, sealer: StoreSealer(key: SealingKey(file: file + ".other")))
        }
        try Data("no key".utf8).write(to: URL(filePath: file))
        let error = #expect(throws: SettingsError.self) { try SealingKey(file: file) }
        #expect(error?.code == .corrupted && error?.message.contains("64 hexadecimal digits") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `A lost key is an error, and no other key is made while secrets are sealed`() async throws {
        let folder = directory.file("state").path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            try await seal("canary-14", in: folder)
            let key = folder + "/settings.key"
            try FileManager.default.moveItem(atPath: key, toPath: key + ".lost")
            let error = #expect(throws: SettingsError.self) { try DefaultSettingsStore.openSealed() }
            try #require(error?.code == .noKey && error?.message.contains("put that file back") == true)
            try #require(!FileManager.default.fileExists(atPath: key))
            try FileManager.default.moveItem(atPath: key + ".lost", toPath: key)
            let account = Account(store: try DefaultSettingsStore.openSealed())
            try #require(account.token == "canary-14")
            account.reset(\.token)
            try await account.commit()
            try FileManager.default.removeItem(atPath: key)
            _ = try DefaultSettingsStore.openSealed()
        }
    }

    @Test func `The default store stays in memory where tests run`() async throws {
        await #expect(processExitsWith: .success) {
            setenv("STATE_DIRECTORY", "/proc/none", 1)
            try DefaultSettingsStore.sealSecrets()
            let error = #expect(throws: SettingsError.self) { try DefaultSettingsStore.openSealed() }
            try #require(error?.message.contains("StateDirectory=") == true)
            let account = Account()
            account.token = "canary-13"
            try await account.commit()
        }
    }
}
