import SettingsSamples
import StoredSettings
import Synchronization
import TestSupport
import Testing

/// Counts how often values are decoded.
private struct Counted: SettingRepresentable {
    static let decoded = Atomic(0)
    static let settingCodec = SettingCodec<Counted>(.int) {
        .int($0.number)
    } decode: {
        decoded.add(1, ordering: .relaxed)
        return $0.intValue.map(Counted.init)
    }

    var number: Int

    init(_ number: Int) { self.number = number }
}

/// A type whose decoding and encoding use the model.
private struct Meddling: Codable, Equatable {
    static let model = Mutex<SettingsStorage?>(nil)
    static let count = SettingsKey("count", default: 0)
    var text: String

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        Self.meddle()
    }

    func encode(to encoder: any Encoder) throws {
        Self.meddle()
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    static func == (one: Self, other: Self) -> Bool {
        meddle()
        return one.text == other.text
    }

    private static func meddle() { model.withLock(\.self)?.update(count) { $0 += 1 } }
}

@Suite("Saving and loading", .timeLimit(.minutes(5)))
struct SavingAndLoadingTests {
    private let store = InMemorySettingsStore()

    @Test func `A secret of a type that decodes from one text is read back, and not its mask`() {
        let key = SettingsKey("badge", default: Meddling("none"), SettingMetadata(isSecret: true))
        #expect(key.value(from: key.stored(Meddling("topsecret"))) == Meddling("topsecret"))
    }

    @Test func `A refused value fails one commit, and none when all values in force are durable`() async throws {
        let lamp = LampSettings(store: store)
        lamp.brightness = 400
        lamp.hours = 3
        #expect(await errorCode { try await lamp.storage.commit() } == .invalidValue)
        try await lamp.storage.commit()
        lamp.hours = 4
        try await lamp.storage.commit()
        #expect(store.record("lamp/a")?.values == ["hours": 4])
        // The setting itself still tells.
        #expect(lamp.storage.error(of: LampSettings.keys.brightness)?.code == .invalidValue)
        lamp.brightness = 500
        await #expect(throws: SettingsError.self) { try await lamp.storage.commit() }
        lamp.brightness = 5
        #expect(lamp.storage.error == nil)
        try await lamp.storage.commit()
    }

    @Test func `A commit decodes nothing, and another's change decodes what changed`() async throws {
        let keys = (0..<20).map { SettingsKey("k\($0)", default: Counted($0)) }
        let schema = SettingsSchema(keys.map(SettingDescriptor.init))
        let storage = SettingsStorage(scope: "s", schema: schema, store: store)
        try await storage.apply(Dictionary(uniqueKeysWithValues: keys.map { ($0.name, 1) }))
        _ = storage[keys[0]]
        let before = Counted.decoded.load(ordering: .relaxed)
        for number in 2..<12 {
            storage[keys[3]] = Counted(number)
            try await storage.commit()
        }
        #expect(Counted.decoded.load(ordering: .relaxed) == before)
        try await store.put("s", ["k5": 99])
        try await eventually("the other's value") { storage[keys[5]].number == 99 }
        #expect(Counted.decoded.load(ordering: .relaxed) == before + 1)
    }

    @Test func `A value's coding and comparison may assign to its model without a deadlock`() async throws {
        let key = SettingsKey("text", default: Meddling("a"), SettingMetadata())
        let schema = SettingsSchema(key, Meddling.count)
        let storage = SettingsStorage(scope: "s", schema: schema, store: store)
        Meddling.model.withLock { $0 = storage }
        defer { Meddling.model.withLock { $0 = nil } }
        storage[key] = Meddling("b")
        try await storage.commit()
        try await store.put("s", ["text": "c"])
        try await eventually("the other's text") { storage[key].text == "c" }
        _ = storage.values
        try await storage.commit()
        #expect(storage[Meddling.count] >= 3)
        #expect(store.record("s")?.values["count"] == .int(storage[Meddling.count]))
    }

    @Test func `Apply takes nothing of what does not fit, and tells all that is wrong`() async throws {
        let lamp = LampSettings(store: store)
        let faults = await #expect(throws: ValidationErrors.self) {
            try await lamp.storage.apply(["hours": "many", "brightness": 400, "nothing": 1, "name": "desk"])
        }
        #expect(faults?.faults.map(\.path) == ["brightness", "hours", "nothing"])
        #expect(lamp.name == "lamp" && lamp.storage.error == nil)
        try await lamp.storage.commit()
        #expect(store.record("lamp/a") == nil)
        try await lamp.storage.apply(["hours": 5.0, "name": nil])
        #expect(store.record("lamp/a")?.values == ["hours": 5])
    }

    @Test func `A stored value outside the constraints stays; the default is used until a new value`() async throws {
        try await store.put("lamp/a", ["brightness": 400, "name": "standing in the hall", "hours": 3])
        let lamp = LampSettings(store: store)
        #expect(lamp.brightness == 50 && lamp.name == "lamp" && lamp.hours == 3)
        let error = lamp.storage.error(of: LampSettings.keys.brightness)
        #expect(error?.code == .invalidValue)
        #expect(error?.message == "brightness: the stored value must be from 0 to 100; the default is in force")
        try await lamp.storage.commit()
        #expect(store.record("lamp/a")?.values["brightness"] == 400)
        try await store.put("lamp/a", ["brightness": 40])
        #expect(lamp.brightness == 40 && lamp.storage.error(of: LampSettings.keys.brightness) == nil)
        lamp.name = "desk"
        #expect(lamp.storage.error == nil)
    }
}
