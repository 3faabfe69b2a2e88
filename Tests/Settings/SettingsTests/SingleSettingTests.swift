import Dispatch
import SettingsSamples
import StoredSettings
import Testing

private let store = InMemorySettingsStore()

private enum Theme: String { case system, dark }

private struct Knob {
    @StoredSetting("volume", store: store) var volume = 60
    @StoredSetting("theme", store: store) var theme = Theme.system
    @StoredSetting("place", store: store) var place: Place? = nil
}

private struct Shelf {
    @StoredSetting("number", scope: "shelf", store: store) var number: Int?
    @StoredSetting("next", scope: "shelf", store: store) var next: Theme?
    @StoredSetting("place", scope: "shelf", store: store) var place: Place?
    @StoredSetting("last", scope: "shelf", store: store) var last: Theme? = nil
    @StoredSetting("all", scope: "shelf", store: store) var all: [Theme] = []
    @StoredSetting("rooms", scope: "shelf", store: store) var rooms: [String: Theme] = [:]
}

private struct Place: Codable { var x = 1.0 }

@Suite("A setting without a class")
struct SingleSettingTests {
    @Test func `A setting is one value in every place that names it, observed and stored`() async throws {
        let (one, other) = (Knob(), Knob())
        let isTold = observe { other.volume }
        one.volume = 80
        #expect(other.volume == 80 && isTold.value)
        other.$volume.wrappedValue += 1
        one.theme = .dark
        one.place = Place(x: 2)
        try await one.$volume.commit()
        // Another type of the same setting.
        let optional = StoredSetting(wrappedValue: Int?.none, "volume", store: store)
        optional.wrappedValue = 82
        try await optional.projectedValue.commit()
        #expect(other.volume == 82)
        optional.wrappedValue = 81
        try await optional.projectedValue.commit()
        #expect(store.record("values")?.values == ["volume": 81, "theme": "dark", "place": ["x": 2]])
    }

    @Test func `A setting may be a raw value in a list or by name, and needs no default to be optional`() async throws {
        let shelf = Shelf()
        #expect(shelf.number == nil && shelf.next == nil && shelf.place == nil)
        (shelf.number, shelf.next, shelf.place) = (7, .dark, Place())
        shelf.last = .dark
        shelf.all = [.dark, .system]
        shelf.rooms = ["hall": .dark]
        try await shelf.$rooms.commit()
        #expect(
            store.record("shelf")?.values == [
                "number": 7, "next": "dark", "place": ["x": 1], "last": "dark", "all": ["dark", "system"],
                "rooms": ["hall": "dark"],
            ]
        )
    }

    @Test func `A single setting that is removed unless it has another value loses no other thread's value`() {
        let token = StoredSetting(wrappedValue: String?.none, "token", store: InMemorySettingsStore())
        for _ in 0..<20_000 {
            token.wrappedValue = "old"
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 1 { return token.wrappedValue = "new" }
                token.projectedValue.update { if $0 == "old" { $0 = nil } }
            }
            guard token.wrappedValue == "new" else {
                Issue.record("the new value is lost")
                return
            }
        }
    }

    @Test func `A single setting with a range refuses what is outside, and its binding says why`() {
        let dimmed = Dimmer()
        dimmed.level = 0.5
        (dimmed.level, dimmed.least) = (1.5, 11)
        #expect(dimmed.level == 0.5 && dimmed.$level.error?.code == .invalidValue)
        #expect(dimmed.least == nil && dimmed.$least.error?.code == .invalidValue && dimmed.most == 5)
    }
}

extension SettingsKey where Value == Int {
    fileprivate static var volume: SettingsKey { SettingsKey("keyed volume", default: 60, in: 0...100) }
}

private struct Dimmer {
    @StoredSetting("level", in: 0...1, scope: "dimmer", store: store) var level = 0.25
    @StoredSetting("least", in: 0...10, scope: "dimmer", store: store) var least: Int?
    @StoredSetting("most", in: 0...10, scope: "dimmer", store: store) var most: Int? = 5
}

private struct Mixer {
    @StoredSetting(.volume, scope: "mixer", store: store) var volume
}

@Suite("A key that is declared once")
struct DeclaredKeyTests {
    @Test func `A declared key serves in any place, with its default and its constraints`() async throws {
        let (mixer, other) = (Mixer(), StoredSetting(.volume, scope: "mixer", store: store))
        mixer.volume += 20
        #expect(other.wrappedValue == 80)
        mixer.volume = 101
        #expect(mixer.volume == 80 && mixer.$volume.error?.code == .invalidValue)
        mixer.volume = 81
        try await other.projectedValue.commit()
        #expect(store.record("mixer")?.values == ["keyed volume": 81])
    }
}
