import SettingsSamples
import StoredSettings
import Testing

@ObservableSettings(prefix: "")
private final class SafeSettings {
    @Secret @Setting(in: 0...9999) var pin = 1234
    @Setting(key: "token", previousKeys: ["old_token"]) @Secret var token = ""
    @Secret @Setting(constraints: .allowed(["day", "night"])) var mode = ""
}

@Suite("A setting that is declared secret")
struct SecretDeclarationTests {
    private let safe = SafeSettings(store: InMemorySettingsStore())

    @Test func `Any secret setting obeys its constraints, and an error never repeats the secret`() throws {
        safe.pin = 77_777
        #expect(safe.pin == 1234)
        #expect(safe.error(of: \.pin)?.code == .invalidValue)
        #expect(throws: ValidationErrors.self) { try SafeSettings.schema.validate(patch: ["pin": 77_777]).get() }
        #expect(try SafeSettings.schema.validate(patch: ["pin": 7_777]).get() == ["pin": .secret("7777")])
    }

    @Test func `A secret setting may be one of few that are accepted`() throws {
        try safe.set(\.mode, to: "night")
        #expect(safe.mode == "night")
        #expect(throws: SettingsError.self) { try safe.set(\.mode, to: "noon") }
        #expect(try SafeSettings.schema.validate(patch: ["mode": "night"]).get() == ["mode": .secret("night")])
    }

    @Test func `A secret setting's schema shows no default that would reveal it, and no mask`() throws {
        let properties = SafeSettings.schema.jsonSchema(title: "Safe").objectValue?["properties"]?.objectValue
        #expect(properties?["pin"]?.objectValue?["default"] == nil)
        #expect(properties?["token"]?.objectValue?["default"]?.json() == #""""#)
    }

    @Test func `A secret setting that was none under a previous key is sealed under its new one`() async throws {
        let store = InMemorySettingsStore()
        try await store.put("SettingsTests.SafeSettings", ["old_token": "topsecret"])
        let safe = SafeSettings(store: store)
        try await safe.commit()
        #expect(safe.token == "topsecret")
        #expect(store.record("SettingsTests.SafeSettings")?.values == ["token": .secret("topsecret")])
    }

    @Test func `A dump of a key, a binding or a stream does not show a secret setting`() {
        safe.pin = 4321
        var text = ""
        dump(SafeSettings.keys, to: &text)
        #expect(text.contains("pin"), "\(text)")
        dump(safe.changes(of: \.pin), to: &text)
        dump(safe.commits().map(\.revision), to: &text)
        let pin = safe.binding(\.pin)
        dump(pin, to: &text)
        text += "\(pin) \(String(reflecting: pin)) \(safe.storage.values)"
        #expect(!text.contains("4321") && !text.contains("1234"), "\(text)")
    }

    @Test func `A dumped model shows only its values, with a mask for a secret setting`() {
        safe.pin = 4321
        var text = ""
        dump(safe, to: &text)
        let lines = text.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }
        #expect(
            lines.map { String($0.prefix { $0 != "#" }) } == [
                "▿ storage: StoredSettings.SettingsStorage ", #"- mode: "\"\"""#, #"- pin: "\"********\"""#,
                #"- token: "\"\"""#,
            ],
            "\(text)"
        )
    }
}
