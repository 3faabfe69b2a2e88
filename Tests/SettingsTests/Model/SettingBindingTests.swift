import StoredSettings
import Testing

@Suite("SettingBinding")
struct SettingBindingTests {
    private let settings = ThermostatSettings(store: InMemorySettingsStore())

    @Test("reads and writes a setting")
    func readsAndWrites() {
        let room: SettingBinding<String> = settings.binding(\.room)
        #expect(room.wrappedValue == "hall")
        room.wrappedValue = "attic"
        #expect(settings.room == "attic")
        settings.room = "cellar"
        #expect(room.wrappedValue == "cellar")
    }

    @Test("never prints the value, be it secret or not")
    func description() {
        settings.accessCode = "canary-7"
        let code = settings.binding(\.accessCode)
        var dumped = ""
        dump(code, to: &dumped)
        for text in ["\(code)", String(reflecting: code), dumped, "\(settings.storage.values)"] {
            #expect(!text.contains("canary-7"))
        }
        #expect(code.wrappedValue == "canary-7")
    }

    @Test("a value outside the constraints is not taken through a binding either")
    func constraints() {
        settings.binding(\.checkInterval).wrappedValue = 1
        #expect(settings.checkInterval == 120)
        #expect(settings.error(of: \.checkInterval) != nil)
    }
}
