import SettingsTesting
import StoredSettings

extension StoreUnderTest {
    /// Every store of the library.
    static let all: [StoreUnderTest] = [.inMemory, .userDefaults] + FileStoreKind.allCases.map(\.underTest)

    private static let userDefaults = StoreUnderTest("UserDefaultsSettingsStore") {
        let suite = TemporarySuite()
        return Instance(try suite.open()) { try suite.open() }
    }
}
