import SettingsTesting
import StoredSettings
import Testing

@ObservableSettings private final class Counter { var count = 0 }

/// A property that all tests of the process share.
private struct Knob {
    static let shared = Knob()
    @StoredSetting("isolated knob") var turns = 0
}

/// Cases that would disturb each other, one after the other or side by side, in one store.
@Suite("The trait that isolates settings", .isolatedSettings)
struct IsolatedSettingsTests {
    @Test(arguments: 1...8)
    func `The trait gives each case of each test a default store of its own`(number: Int) async throws {
        let counter = Counter()
        #expect(counter.count == 0 && Knob.shared.turns == 0)
        counter.count = number
        Knob.shared.turns = number
        await Task.yield()
        try await counter.commit()
        try await Knob.shared.$turns.commit()
        #expect(counter.count == number && Knob.shared.turns == number)
        let later = await Task { (Counter().count, Knob.shared.turns) }.value
        #expect(later == (number, number))
        let own = InMemorySettingsStore()
        DefaultSettingsStore.store = own
        #expect(DefaultSettingsStore.store === own && Counter().count == 0 && Knob.shared.turns == 0)
    }
}
