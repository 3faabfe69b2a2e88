import Foundation
import StoredSettings
import Testing

@Suite("Secret")
struct SecretTests {
    private struct Login {
        let user = "bblp"
        let code = Secret("canary-4711")
    }

    @Test func `Secret shows its mask wherever a value is shown`() {
        let secret = Secret("canary-4711")
        var dumped = ""
        dump(secret, to: &dumped)
        dump(Login(), to: &dumped)
        dump(JSONValue.secret(secret), to: &dumped)
        let shown = [
            "\(secret)", String(describing: secret), String(reflecting: secret), dumped,
            "\(Login())", String(reflecting: Login()), "\(Optional(secret) as Any)", "\([secret])", "\(["a": secret])",
            "\(JSONValue.secret(secret))", String(reflecting: JSONValue.secret(secret)),
            "\(JSONValue.array([.secret(secret)]))", "\(Mirror(reflecting: secret).children.map(\.value))",
            "\(Secret(["canary-4711"]))",
        ]
        for text in shown { #expect(!text.contains("canary")) }
        #expect("\(secret)" == "********")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func `Secret is encoded as its mask`() throws {
        struct Report: Encodable { var code = Secret("canary-4711") }
        #expect(String(decoding: try JSONEncoder().encode(Report()), as: UTF8.self) == #"{"code":"********"}"#)
    }

    @Test func `Secret of texts that only look the same is another one`() {
        #expect(Secret("\u{e9}") != Secret("e\u{301}") && Secret("") != Secret("\0"))
        for other in ["b", "aa", ""] { #expect(Secret("a") != Secret(other)) }
        #expect(Secret([UInt8](1...3)) == Secret([1, 2, 3]))
        #expect(Secret([1, 2]) != Secret([2, 1]))
    }
}

@ObservableSettings
private final class VaultSettings {
    @Secret var code = ""
    @Secret var number = 0
    @Secret var expiry: Date?
    @Secret var codes: [String: Int] = [:]
    @Secret var login: Login?
    var token: Secret<String> = ""

    struct Login: Codable, Equatable {
        var user: String
        var password: String
    }
}

@Suite("A secret setting")
struct SecretSettingTests {
    @Test func `A secret setting of any type is sealed as a whole, and nil is null in the store`() async throws {
        let store = InMemorySettingsStore()
        let vault = VaultSettings(store: store)
        vault.code = "canary"
        vault.number = 4711
        vault.expiry = Date(timeIntervalSinceReferenceDate: 0.5)
        vault.codes = ["canary": 1]
        vault.login = .init(user: "canary", password: "canary")
        vault.token = "canary"
        try await vault.commit()
        let values = try #require(store.record("SettingsTests.VaultSettings")?.values)
        #expect(values.count == 6)
        for (name, value) in values {
            guard case .secret = value else {
                Issue.record("\(name) is in clear")
                continue
            }
        }
        #expect(!"\(values) \(await vault.firstValues)".contains("canary"))
        let again = VaultSettings(store: store)
        #expect(again.code == "canary" && again.number == 4711 && again.codes == ["canary": 1])
        #expect(again.expiry == Date(timeIntervalSinceReferenceDate: 0.5))
        #expect(again.login == .init(user: "canary", password: "canary"))
        #expect(again.token.reveal() == "canary")
        #expect(again.error == nil)
        again.login = nil
        try await again.commit()
        #expect(store.record("SettingsTests.VaultSettings")?.values["VaultSettings.login"] == .some(.null))
        again.reset(\.login)
        try await again.commit()
        #expect(store.record("SettingsTests.VaultSettings")?.values["VaultSettings.login"] == nil)
    }

    @Test func `An error about an unfit secret setting reveals no part of it, not even the place`() {
        let patch: [String: JSONValue] = [
            "VaultSettings.codes": ["canary": "canary"], "VaultSettings.number": "canary",
            "VaultSettings.login": "canary",
        ]
        guard case .failure(let faults) = VaultSettings.schema.validate(patch: patch) else {
            Issue.record("it was taken")
            return
        }
        #expect(faults.faults.count == 3)
        #expect(!faults.description.contains("canary"))
    }
}

extension SettingsModel {
    fileprivate var firstValues: [String: JSONValue] {
        get async { await commits().first { _ in true }?.values ?? [:] }
    }
}
