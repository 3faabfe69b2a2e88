import SettingsSamples
import SettingsTesting
import SettingsUserDefaults
import StoredSettings

extension StoreUnderTest {
    /// Every store of the library.
    static let all: [StoreUnderTest] = [.inMemory, .userDefaults] + FileStoreKind.allCases.map(\.underTest)

    private static let userDefaults = StoreUnderTest("UserDefaultsSettingsStore") {
        let suite = TemporarySuite()
        let open = { @Sendable in
            try UserDefaultsSettingsStore(suite: suite.name, sealer: ToySealer(), watchInterval: .milliseconds(50))
        }
        return Instance(try open(), openAgain: open)
    }
}
