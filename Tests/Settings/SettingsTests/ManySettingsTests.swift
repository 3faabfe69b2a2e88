import Foundation
import StoredSettings
import Testing

/// Few and ten times as many: 1,000 and 10,000 with `SOAK=1`.
private let counts = ProcessInfo.processInfo.environment["SOAK"] == "1" ? [1000, 10_000] : [200, 2000]

@Suite("many settings")
struct ManySettingsTests {
    @Test("As models, each with a scope, cost the same for each, be they few or many", arguments: counts)
    func models(count: Int) async throws {
        let store = CountingStore()
        let lamps = (0..<count).map { LampSettings(scope: "lamp/\($0)", store: store) }
        for (index, lamp) in lamps.enumerated() { lamp.brightness = index % 100 + 1 }
        for lamp in lamps { try await lamp.storage.commit() }
        #expect(lamps.enumerated().allSatisfy { $1.brightness == $0 % 100 + 1 })
        #expect(store.work.listeners == 1)
        #expect(store.work.transactions == count)
        #expect(store.work.written == count)
        // To restore it, and to hear of its change.
        #expect(store.work.read <= 2 * count)
        let again = LampSettings(scope: "lamp/\(count - 1)", store: store)
        #expect(again.brightness == (count - 1) % 100 + 1)
        #expect(store.work.listeners == 1)
    }
}
