import Foundation
import SettingsSamples
import StoredSettings
import Synchronization
import TestSupport
import Testing

private struct Schedule: Codable, Equatable {
    var start: Date
    var minutes: [Int]
    var note: String?
}

private struct Ledger: Codable {
    var balance: UInt64
    var rates: [String: Double]
}

private struct Hollow: SettingRepresentable {
    static let settingCodec = SettingCodec<Hollow>(.json, encode: { _ in .null }, decode: { _ in Hollow() })
}

/// A value that uses the model when nobody needs it any more.
private final class Note: Codable, Sendable {
    static let released = Mutex<(@Sendable () -> Void)?>(nil)

    let text: String

    init(_ text: String) { self.text = text }
    deinit { Note.released.withLock(\.self)?() }
}

@ObservableSettings
private final class GardenSettings {
    enum Site: String { case indoors, outdoors }
    enum Tool: Int, Codable, CaseIterable { case spade = 1, hoe = 2 }

    var watering = Schedule(start: Date(timeIntervalSinceReferenceDate: 0), minutes: [5])
    var ledger: Ledger? = nil
    var site = Site.indoors
    var sites: [Site] = []
    var lastSite: Site?
    var siteOfPlant: [String: Site] = [:]
    var tool = Tool.spade
    var tools: [Tool] = []
    var plans: [String: Schedule?] = [:]
    var note = Note("none")
    var nested: Schedule??
    var hollow: Hollow?
}

@Suite("A setting whose type declares nothing")
struct CodableSettingTests {
    private let store = InMemorySettingsStore()
    private let garden: GardenSettings

    init() { garden = GardenSettings(store: store) }

    private func stored(_ name: String) -> JSONValue? {
        store.record("SettingsTests.GardenSettings")?.values["GardenSettings.\(name)"]
    }

    @Test func `A setting is stored as raw value or readable JSON, also as an optional or in a list`() async throws {
        garden.watering.minutes = [1, 2]
        garden.site = .outdoors
        garden.sites = [.outdoors, .indoors]
        garden.lastSite = .indoors
        garden.siteOfPlant = ["fern": .outdoors]
        garden.tool = .hoe
        garden.tools = [.hoe]
        garden.plans = ["fern": Schedule(start: .distantPast, minutes: [3]), "palm": nil]
        try await garden.commit()
        #expect(stored("watering") == ["start": 0, "minutes": [1, 2]])
        #expect(stored("site") == "outdoors" && stored("lastSite") == "indoors" && stored("tool") == 2)
        #expect(stored("sites") == ["outdoors", "indoors"] && stored("siteOfPlant") == ["fern": "outdoors"])
        #expect(stored("tools") == [2])
        let again = GardenSettings(store: store)
        #expect(again.watering == garden.watering && again.site == .outdoors && again.sites == garden.sites)
        #expect(again.lastSite == .indoors && again.siteOfPlant == garden.siteOfPlant && again.tool == .hoe)
        #expect(again.tools == [.hoe] && again.plans == garden.plans)
        #expect(again.error == nil)
        #expect(GardenSettings.schema["GardenSettings.tool"]?.type == .choice(.int, [1, 2]))
        #expect(GardenSettings.schema["GardenSettings.tools"]?.type == .json)
        garden.lastSite = nil
        try await garden.commit()
        #expect(stored("lastSite") == .null)
    }

    @Test func `A setting is stored as JSON text if a number exceeds the numbers of a store`() async throws {
        garden.ledger = Ledger(balance: .max, rates: [:])
        try await garden.commit()
        #expect(stored("ledger") == #"{"balance":18446744073709551615,"rates":{}}"#)
        #expect(GardenSettings(store: store).ledger?.balance == .max)
        let share = StoredSetting(wrappedValue: [:] as [UUID: Decimal], "share", store: store)
        share.wrappedValue = [UUID(): Decimal(1) / 3]
        try await share.projectedValue.commit()
        #expect(store.record("values")?.values["share"]?.stringValue?.contains("0.33333333333333333333") == true)
    }

    @Test func `A setting says that no store holds its value, and nothing of the value`() async throws {
        garden.ledger = Ledger(balance: 1, rates: ["eur": .nan])
        let error = try #require(garden.error(of: \.ledger))
        #expect(error.code == .unsupportedValue && error.message.contains("a number that is not finite"))
        #expect(!error.message.contains("eur"))
        (garden.nested, garden.hollow) = (.some(nil), Hollow())
        for error in [garden.error(of: \.nested), garden.error(of: \.hollow)] {
            #expect(error?.message.contains("would be read as nil") == true)
        }
        await #expect(throws: SettingsError.self) { try await garden.commit() }
        await #expect(throws: SettingsError.self) { try await garden.commit() }
    }

    @Test func `A setting that no store holds is a change each time: what it was is not known`() {
        garden.ledger = Ledger(balance: 1, rates: ["eur": .infinity])
        let isTold = observe { garden.ledger }
        garden.ledger = Ledger(balance: 2, rates: ["eur": .infinity])
        #expect(isTold.value)
    }

    @Test func `A setting may use the model while its old value is released, however it was replaced`() async throws {
        let seen = Mutex<[String]>([])
        let use = { @Sendable [garden] in
            garden.tool = .hoe
            _ = garden.isSet(\.note)
            seen.withLock { $0.append(garden.note.text) }
        }
        defer { Note.released.withLock { $0 = nil } }
        Note.released.withLock { $0 = use }
        garden.note = Note("water")
        garden.note = Note("prune")
        // A value that is on its way to the store goes when it was encoded.
        try await eventually("the use after an assignment") { seen.withLock { $0.last } == "prune" }
        garden.storage.update(GardenSettings.keys.note) { $0 = Note("weed") }
        try await eventually("the use after an update") { seen.withLock { $0.last } == "weed" }
        garden.reset(\.note)
        try await eventually("the use after a reset") { seen.withLock { $0.last } == "none" }
        try await garden.commit()
        try await store.put("SettingsTests.GardenSettings", ["GardenSettings.note": ["text": "mow"]])
        try await eventually("the note of the store") { self.garden.note.text == "mow" }
    }

    @Test func `A setting keeps a stored form that its type no longer understands, and has its default`() async throws {
        try await store.put("SettingsTests.GardenSettings", ["GardenSettings.watering": "weekly"])
        let garden = GardenSettings(store: store)
        #expect(garden.watering.minutes == [5])
        let error = garden.error(of: \.watering)
        #expect(error?.code == .wrongType && error?.message.contains("is not a value of Schedule") == true)
        #expect(stored("watering") == "weekly")
    }
}
