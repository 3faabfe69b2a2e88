import Foundation
import Settings
import TestSupport
import Testing

private struct Login: Codable, Sendable, Hashable {
    var user: String
    var password: String
}

private struct Account: Sendable {
    @SecretStorage<Login> var login: Login?
    @SecretStorage<String> var token: String?
    @SecretStorage<Int> var pin: Int?

    init(_ store: any SecretStore) {
        _login = SecretStorage(key: "login", store: store)
        _token = SecretStorage(key: "token", store: store)
        _pin = SecretStorage(key: "pin", store: store)
    }
}

private struct Session: Sendable {
    @SecretStorage(key: "login") var login: Login?
}

/// Fails as long as it is told to.
private final class FailingStore: SecretStore {
    struct Failure: Error {}
    let isFailing = LockedValue(true)
    private let base = InMemorySecretStore()

    func secret(_ name: String) throws -> Secret<String>? {
        if isFailing.value { throw Failure() }
        return base.secret(name)
    }

    func setSecret(_ secret: Secret<String>?, for name: String) throws {
        if isFailing.value { throw Failure() }
        base.setSecret(secret, for: name)
    }
}

@Suite("a secret as a property")
struct SecretStorageTests {
    private let login = Login(user: "me", password: "canary-1")

    @Test("takes effect at once, is stored soon, and is nil when it is missing or removed")
    func assigns() async throws {
        let store = InMemorySecretStore()
        let account = Account(store)
        #expect(account.login == nil)
        #expect(account.$login.error == nil)
        account.login = login
        #expect(account.login == login)
        account.token = "abc"
        account.pin = 7
        try await account.$login.save()
        try await account.$token.save()
        try await account.$pin.save()
        #expect(store.secret("login")?.reveal() == #"{"password":"canary-1","user":"me"}"#)
        #expect(store.secret("token") == "abc")
        #expect(store.secret("pin") == "7")
        #expect(Account(store).login == login)
        account.login = nil
        #expect(account.login == nil)
        try await account.$login.save()
        #expect(store.secret("login") == nil)
    }

    @Test("sees what others store under the same name")
    func sideBySide() async throws {
        let store = InMemorySecretStore()
        let (one, two) = (Account(store), Account(store))
        try await one.$token.save("1")
        #expect(two.token == "1")
        store.setSecret("2", for: "token")
        #expect(one.token == "2")
        #expect(try two.$token.load() == "2")
    }

    @Test("keeps what cannot be stored, says why, and stores it when it is saved again")
    func failure() async throws {
        let store = FailingStore()
        let account = Account(store)
        #expect(account.token == nil)
        #expect(account.$token.error is FailingStore.Failure)
        #expect(throws: FailingStore.Failure.self) { try account.$token.load() }
        account.token = "new"
        #expect(account.token == "new")
        await #expect(throws: FailingStore.Failure.self) { try await account.$token.save() }
        #expect(account.token == "new")
        store.isFailing.value = false
        try await account.$token.save()
        #expect(account.$token.error == nil)
        #expect(try store.secret("token") == "new")
    }

    @Test("of another type is an error that does not show it, and is not overwritten by a change of a part")
    func wrongType() async throws {
        let store = InMemorySecretStore(["login": "canary-2"])
        let account = Account(store)
        let error = #expect(throws: SettingsError.self) { try account.$login.load() }
        #expect(error?.code == .wrongType)
        #expect(error?.message.contains("login") == true)
        #expect(error?.message.contains("canary") == false)
        #expect(account.$login.get() == nil)
        SettingBinding(unwrapping: account.$login.binding)?.user.wrappedValue = "you"
        account.$login.binding.update { $0?.user = "you" }
        try await account.$login.save()
        #expect(store.secret("login") == "canary-2")
    }

    @Test("has a binding, through which no assignment of another thread is lost")
    func binding() async throws {
        let account = Account(InMemorySecretStore(["pin": "0"]))
        await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { account.$pin.binding.update { $0 = ($0 ?? 0) + 1 } } }
        }
        #expect(account.pin == 200)
        try await account.$pin.save()
        account.login = login
        SettingBinding(unwrapping: account.$login.binding)?.user.wrappedValue = "you"
        #expect(account.login?.user == "you")
        #expect(account.login?.password == "canary-1")
    }

    @Test("stores the last of many assignments, in whichever store", arguments: SecretStoreKind.allCases)
    func last(kind: SecretStoreKind) async throws {
        let directory = try TemporaryDirectory()
        let store = try kind.open(directory)
        let account = Account(store)
        for pin in 1...200 { account.pin = pin }
        #expect(account.pin == 200)
        try await account.$pin.save()
        #expect(try store.secret("pin") == "200")
    }

    @Test("shows its value to nothing that prints, dumps, mirrors or encodes it")
    func redacted() async throws {
        let account = Account(InMemorySecretStore())
        account.login = login
        var text = "\(account) \(String(reflecting: account)) \(account.$login) \(String(reflecting: account.$login)) "
        text += "\(account.$login.binding) \(account.$login as Any) "
        dump(account, to: &text)
        dump(account.$login, to: &text)
        dump(account.$login.binding, to: &text)
        let storage = SecretStorage<Login>(key: "login", store: InMemorySecretStore())
        storage.wrappedValue = login
        text += String(decoding: try JSONEncoder().encode([storage]), as: UTF8.self)
        for child in Mirror(reflecting: storage).children { text += "\(child)" }
        #expect(!text.contains("canary"))
        #expect(text.contains("********"))
    }

    @Test("without a store is an error until there is one for all")
    func withoutStore() async throws {
        await #expect(processExitsWith: .success) {
            let session = Session()
            let error = #expect(throws: SettingsError.self) { try session.$login.load() }
            #expect(error?.message.contains("DefaultSecretStore") == true)
            session.login = Login(user: "me", password: "x")
            await #expect(throws: SettingsError.self) { try await session.$login.save() }
            let store = InMemorySecretStore()
            DefaultSecretStore.store = store
            try await session.$login.save()
            #expect(store.secret("login")?.reveal() == #"{"password":"x","user":"me"}"#)
        }
    }
}
