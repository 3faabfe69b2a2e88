import Foundation
import SettingsSamples
import SettingsTesting
import SettingsUserDefaults
import StoredSettings
import TestSupport
import Testing

/// The domain of the examples that name their store in the attribute.
private let suite = TemporarySuite()

private enum AccentColor: String, CaseIterable { case red, green, blue }
private enum Level: Int, Codable { case low = 1, high = 9 }

private enum Program {
    static var store: any SettingsStore {
        do { return try UserDefaultsSettingsStore(suite: suite.name) } catch { fatalError("\(error)") }
    }
}

/// The examples of UserDefaultsObservation and ObservableDefaults, with the names of this library.
@ObservableSettings(prefix: "", store: Program.store)
private final class SampleClass {
    var firstUse = false
    var username: String? = nil
    @Setting(key: "OldUserName") var renamed = "nobody"
    @SettingsIgnored var notStored = 1
    var accent = AccentColor.red
    var accents: [AccentColor] = [.red]
    var accentOf: [String: AccentColor] = [:]
    var maybeAccent: AccentColor?
    var level = Level.low
    var computed: String { "\(username ?? "") \(accent.rawValue)" }
}

private struct Place: Codable, Equatable { var x = 0.0, y = 0.0 }

/// What other code keeps as JSON in `Data`, and what has a form of Foundation's own.
@ObservableSettings(prefix: "")
private final class MapSettings {
    var place = Place()
    var places: [String: Place] = [:]
    var ids: [UUID] = []
    var level = Level.low
    var visited: Date?
    var visits: [Date] = []
    var asText = Date.distantPast
    var tile = Data()
    var zoom = 1.0
    var note = ""
}

@ObservableSettings(prefix: "")
private final class Account {
    @Secret var token = ""
}

@ObservableSettings(prefix: "")
private final class Numbers {
    var bool = true
    var int = 1
    var int8: Int8 = -8
    var int64: Int64 = .min
    var uint64: UInt64 = .max
    var double = 0.5
    var array = [1.5, 2]
    var switches: [String: Bool]? = ["y": true]
}

@Suite("A real key of UserDefaults for each setting", .serialized)
struct RealKeysTests {
    private let suite = TemporarySuite()
    private let defaults: UserDefaults

    init() throws { defaults = try #require(UserDefaults(suiteName: suite.name)) }

    @Test func `Examples of plain, explicit and ignored keys, raw values and a store of the class work`() async throws {
        let sample = SampleClass()
        let defaults = try #require(UserDefaults(suiteName: SettingsStoreTests.suite.name))
        sample.firstUse = true
        sample.username = "me"
        sample.renamed = "you"
        sample.notStored = 2
        sample.accent = .blue
        sample.accents = [.green, .blue]
        sample.accentOf = ["door": .green]
        sample.maybeAccent = .red
        sample.level = .high
        try await sample.commit()
        #expect(defaults.bool(forKey: "firstUse") && defaults.string(forKey: "username") == "me")
        #expect(defaults.string(forKey: "OldUserName") == "you" && defaults.string(forKey: "accent") == "blue")
        #expect(defaults.stringArray(forKey: "accents") == ["green", "blue"] && defaults.integer(forKey: "level") == 9)
        #expect(defaults.object(forKey: "notStored") == nil)
        let again = SampleClass()
        #expect(again.computed == "me blue" && again.accentOf == ["door": .green] && again.maybeAccent == .red)
        sample.username = nil
        sample.reset(\.accent)
        try await sample.commit()
        #expect(defaults.object(forKey: "username") == nil && defaults.object(forKey: "accent") == nil)
        #expect(sample.isSet(\.username) && !sample.isSet(\.accent))
    }

    @Test func `The numbers 0, 1 and the greatest from other code stay numbers, and booleans stay so`() throws {
        defaults.set(1, forKey: "int")
        defaults.set(0.0, forKey: "double")
        defaults.set([0.0, 1.0, 2.0], forKey: "array")
        defaults.set(false, forKey: "bool")
        defaults.set(NSNumber(value: UInt64.max - 1), forKey: "uint64")
        let model = Numbers(store: try suite.open())
        #expect(model.int == 1 && model.double == 0 && model.array == [0, 1, 2] && !model.bool)
        #expect(model.uint64 == .max - 1 && model.error == nil)
        defaults.set(0, forKey: "int")
        #expect(Numbers(store: try suite.open()).int == 0)
    }

    @Test func `Other code reads numbers and booleans as such`() async throws {
        let model = Numbers(store: try suite.open())
        try await model.storage.apply(model.storage.values)
        #expect(defaults.integer(forKey: "int8") == -8 && defaults.double(forKey: "double") == 0.5)
        #expect(defaults.object(forKey: "int64") as? NSNumber == NSNumber(value: Int64.min))
        #expect(defaults.dictionary(forKey: "switches")?["y"] as? Bool == true)
    }

    @Test func `A key 'settings' of another program stays as it is`() async throws {
        defaults.set(["theme": "dark"], forKey: "settings")
        let model = Numbers(store: try suite.open())
        model.int = 7
        try await model.commit()
        #expect(defaults.dictionary(forKey: "settings") as? [String: String] == ["theme": "dark"])
    }

    @Test func `Existing keys are adopted, and later values from other code soon come into force`() async throws {
        defaults.set("me", forKey: "username")
        defaults.set(true, forKey: "firstUse")
        defaults.set("not a color", forKey: "accent")
        let store = try suite.open()
        let sample = SampleClass(store: store)
        #expect(sample.username == "me" && sample.firstUse && sample.accent == .red)
        #expect(sample.error(of: \.accent)?.code == .wrongType)
        sample.firstUse = false
        try await sample.commit()
        #expect(defaults.object(forKey: "firstUse") as? Bool == false)
        let before = try #require(store.record("SettingsStoreTests.SampleClass")?.revision)
        defaults.set(true, forKey: "firstUse")
        defaults.set("you", forKey: "username")
        _ = defaults.synchronize()
        try await eventually("what other code set") { sample.firstUse && sample.username == "you" }
        let revision = try #require(store.record("SettingsStoreTests.SampleClass")?.revision)
        #expect([before + 1, before + 2].contains(revision), "it may have looked between the two")
        defaults.removeObject(forKey: "firstUse")
        try await eventually("the default") { !sample.isSet(\.firstUse) }
    }

    @Test func `A text of several lines, and data after a removal, are taken over once`() async throws {
        let map = MapSettings(store: try suite.open())
        (map.note, map.tile) = ("a\nb", Data([1]))
        try await map.commit()
        #expect(defaults.string(forKey: "note") == "a\nb")
        defaults.removeObject(forKey: "tile")
        try await eventually("the removal") { !map.isSet(\.tile) }
        defaults.set(Data([0xFF, 0xD8]), forKey: "tile")
        defaults.set("c\td\n", forKey: "note")
        try await eventually("both") { map.tile == Data([0xFF, 0xD8]) && map.note == "c\td\n" }
        let revision = map.committed.revision
        try await Task.sleep(for: .milliseconds(1_200))
        #expect(map.committed.revision == revision)
    }

    @Test func `A Codable value that other code stores as JSON in Data is adopted and keeps that form`() async throws {
        let coder = (encoder: JSONEncoder(), decoder: JSONDecoder())
        let ids = [UUID(), UUID()]
        defaults.set(try coder.encoder.encode(Place(x: 1, y: 2)), forKey: "place")
        defaults.set(try coder.encoder.encode(["a": Place()]), forKey: "places")
        defaults.set(try coder.encoder.encode(ids), forKey: "ids")
        defaults.set(try coder.encoder.encode(Level.high), forKey: "level")
        let map = MapSettings(store: try suite.open())
        let single = StoredSetting(wrappedValue: Place(), "place", scope: "single", store: try suite.open())
        #expect(map.error == nil && single.projectedValue.error == nil)
        #expect(map.place == Place(x: 1, y: 2) && single.wrappedValue == Place(x: 1, y: 2))
        #expect(map.places == ["a": Place()] && map.ids == ids && map.level == .high)
        map.place = Place(x: 3, y: 4)
        map.ids = []
        map.level = .low
        try await map.commit()
        func read<Value: Decodable>(_ key: String, as type: Value.Type) throws -> Value {
            try coder.decoder.decode(type, from: #require(defaults.data(forKey: key)))
        }
        #expect(try read("place", as: Place.self) == Place(x: 3, y: 4))
        #expect(try read("ids", as: [UUID].self) == [] && read("level", as: Level.self) == .low)
        #expect(try read("places", as: [String: Place].self) == ["a": Place()])
        #expect(MapSettings(store: try suite.open()).place == Place(x: 3, y: 4))
        // What other code assigns in that form arrives as well.
        defaults.set(try coder.encoder.encode(Place(x: 5, y: 6)), forKey: "place")
        try await eventually("the other's place") { map.place == Place(x: 5, y: 6) }
    }

    @Test func `Dates, data and numbers are Foundation's own for other code, and a text stays a text`() async throws {
        let moment = Date(timeIntervalSinceReferenceDate: 800_000_000.25)
        defaults.set("2020-01-01T00:00:00Z", forKey: "asText")
        let map = MapSettings(store: try suite.open())
        map.visited = moment
        map.visits = [moment]
        map.asText = moment
        map.tile = Data([1, 2])
        map.zoom = 1.5
        map.note = "2026-01-01T00:00:00Z"
        let single = StoredSetting(wrappedValue: Date?.none, "single", scope: "single", store: map.storage.store)
        single.wrappedValue = moment
        try await single.projectedValue.commit()
        try await map.commit()
        // Linux writes whole seconds of a date.
        for object in [
            defaults.object(forKey: "visited"), defaults.array(forKey: "visits")?.first,
            defaults.object(forKey: "single"),
        ] {
            #expect((object as? Date).map { abs($0.timeIntervalSince(moment)) < 1 } == true)
        }
        #expect(defaults.data(forKey: "tile") == Data([1, 2]) && defaults.double(forKey: "zoom") == 1.5)
        #expect(defaults.string(forKey: "asText")?.hasPrefix("2026-") == true)
        #expect(defaults.string(forKey: "note") == "2026-01-01T00:00:00Z")
        let again = MapSettings(store: try suite.open())
        #expect(
            again.visited == moment && again.visits == [moment] && again.asText == moment && again.tile == Data([1, 2])
        )
        #expect(again.error == nil)
    }

    @Test func `A key never stored before arrives, is observed and is streamed once other code sets it`() async throws {
        let map = MapSettings(store: try suite.open())
        let single = StoredSetting(wrappedValue: 0, "count", scope: "single", store: map.storage.store)
        #expect(map.zoom == 1 && single.wrappedValue == 0)
        let isTold = observe { map.zoom }
        var zooms = map.changes(of: \.zoom).makeAsyncIterator()
        #expect(await zooms.next() == 1)
        defaults.set(4.0, forKey: "zoom")
        defaults.set(7, forKey: "count")
        try await eventually("what other code set") { map.zoom == 4 && single.wrappedValue == 7 }
        #expect(await zooms.next() == 4 && isTold.value)
    }

    @Test func `A secret in clear is adopted, then sealed by an assignment and removed in clear`() async throws {
        defaults.set("canary-3", forKey: "token")
        let account = Account(store: try suite.open(), scope: "s")
        #expect(account.token == "canary-3")
        account.token = "canary-4"
        try await account.commit()
        #expect(defaults.object(forKey: "token") == nil)
        let all = "\(defaults.dictionaryRepresentation())"
        #expect(!all.contains("canary-3") && !all.contains("canary-4"))
        #expect(Account(store: try suite.open(), scope: "s").token == "canary-4")
    }

    @Test func `Two scopes do not share a key, and the first that stores it keeps it, also renamed`() async throws {
        for key in ["username", "notOurs"] { defaults.set("me", forKey: key) }
        let store = try suite.open()
        let (one, two) = (SampleClass(store: store), SampleClass(store: store, scope: "kitchen"))
        one.username = "me"
        try await one.commit()
        two.username = "you"
        try await two.commit()
        #expect(defaults.string(forKey: "username") == "me" && defaults.string(forKey: "kitchen/username") == "you")
        #expect(SampleClass(store: try suite.open(), scope: "kitchen").username == "you")
        try await store.transact { _ = try $0.rename(one.storage.scope, to: "hall", by: "test", at: .now) }
        let hall = SampleClass(store: store, scope: "hall")
        #expect(hall.username == "me" && defaults.string(forKey: "username") == "me")
        try await store.transact { try $0.remove("hall") }
        #expect(defaults.string(forKey: "username") == nil && defaults.string(forKey: "notOurs") == "me")
    }

    @Test func `A key that begins with the name of its scope follows what other code sets`() async throws {
        let volume = StoredSetting(wrappedValue: 1, "player/volume", scope: "player", store: try suite.open())
        volume.wrappedValue = 2
        try await volume.projectedValue.commit()
        defaults.set(3, forKey: "player/volume")
        try await eventually("what other code set") { volume.wrappedValue == 3 }
    }
}
