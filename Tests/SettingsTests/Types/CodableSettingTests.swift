import Foundation
import Settings
import SettingsSamples
import Testing

@ObservableSettings
private final class GardenSettings {
    var watering = Schedule(start: Date(timeIntervalSinceReferenceDate: 0), minutes: [5])
    var ledger: Ledger? = nil
    var beyond = Beyond(number: 1)
    var numbers: [String: [Int?]] = [:]
}

@Suite("A Codable setting")
struct CodableSettingTests {
    @Test("is written as readable JSON, or as a text if it declares so")
    func encodings() async throws {
        let store = InMemorySettingsStore()
        let garden = GardenSettings(store: store)
        garden.watering.minutes = [1, 2]
        garden.ledger = Ledger(balance: .max, rates: [:])
        try await garden.commit()
        let values = try #require(store.record("GardenSettings")?.values)
        #expect(values["GardenSettings.watering"] == ["start": 0, "minutes": [1, 2]])
        #expect(values["GardenSettings.ledger"] == #"{"balance":18446744073709551615,"rates":{}}"#)
        let again = GardenSettings(store: store)
        #expect(again.watering.minutes == [1, 2])
        #expect(again.ledger == Ledger(balance: .max, rates: [:]))
    }

    @Test("that can't be written stays in memory, and says what to do")
    func beyond() async throws {
        let garden = GardenSettings(store: InMemorySettingsStore())
        garden.beyond.number = .max
        #expect(garden.beyond.number == .max)
        let error = try #require(garden.saveError(of: \.beyond))
        #expect(error.code == .unsupportedValue)
        #expect(error.message.contains("settingEncoding as .text"))
        await #expect(throws: SettingsError.self) { try await garden.commit() }
    }

    @Test("says where the number is that JSON has not, and nothing of its values, of which keys are some")
    func nan() throws {
        let garden = GardenSettings(store: InMemorySettingsStore())
        garden.ledger = Ledger(balance: 1, rates: ["eur": .nan])
        let error = try #require(garden.saveError(of: \.ledger))
        #expect(error.message.contains("a number that is not finite, at rates.…"))
        #expect(!error.message.contains("eur"))
    }

    @Test("that is stored in a form which its type no longer understands is kept, and the default is in force")
    func unreadable() async throws {
        let store = InMemorySettingsStore()
        try await store.transact { transaction in
            try transaction.update(
                "GardenSettings",
                ["GardenSettings.watering": "weekly"],
                by: "test",
                at: Date(timeIntervalSince1970: 0)
            )
        }
        let garden = GardenSettings(store: store)
        #expect(garden.watering.minutes == [5])
        #expect(garden.loadError(of: \.watering)?.code == .wrongType)
        #expect(store.record("GardenSettings")?.values["GardenSettings.watering"] == "weekly")
    }
}
