import StoredSettings
import Testing

private struct Desk: Codable, Equatable {
    struct Lamp: Codable, Equatable { var name = "low", brightness = 1 }
    var lamp = Lamp()
    var ratio = 1.0
}

@ObservableSettings
private final class DeskSettings { var desk = Desk() }

@Suite("SettingBinding")
struct SettingBindingTests {
    @Test func `A member's binding reads and changes it within the value and reports setting errors`() async throws {
        let desk = DeskSettings(store: InMemorySettingsStore())
        let lamp = desk.binding(\.desk).lamp
        let brightness: SettingBinding<Int> = lamp.brightness
        brightness.wrappedValue = 7
        brightness.update { $0 += 1 }
        lamp.name.wrappedValue = "tall"
        #expect(desk.desk == Desk(lamp: .init(name: "tall", brightness: 8)) && brightness.wrappedValue == 8)
        try await brightness.commit()
        desk.desk.ratio = .infinity
        #expect(brightness.error?.code == .unsupportedValue && "\(brightness)" == "SettingBinding<Int>")
    }

    @Test func `A binding gives a reader, which shows what is assigned and prints as its type`() {
        let desk = DeskSettings(store: InMemorySettingsStore())
        @SettingReader var brightness: Int
        _brightness = desk.binding(\.desk).reader.lamp.brightness
        desk.desk.lamp.brightness = 9
        #expect(brightness == 9 && "\($brightness)" == "SettingReader<Int>")
    }
}
