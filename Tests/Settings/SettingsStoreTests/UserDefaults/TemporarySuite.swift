import Foundation
import SettingsSamples
import SettingsUserDefaults

/// A domain of `UserDefaults` that lasts as long as the test that holds it.
final class TemporarySuite: Sendable {
    let name = "printer2mqtt-test-\(UUID().uuidString)"

    /// Opens a store in it, which soon sees what others set.
    func open(key: UInt8? = 1) throws -> UserDefaultsSettingsStore {
        try UserDefaultsSettingsStore(suite: name, sealer: key.map(sealer), watchInterval: .milliseconds(20))
    }

    deinit {
        for name in [name, name + ".last"] {
            let suite = UserDefaults(suiteName: name)
            suite?.removePersistentDomain(forName: name)
            _ = suite?.synchronize()
            try? FileManager.default.removeItem(at: Self.file(name))
        }
    }

    /// Where Foundation keeps a domain on Linux.
    static func file(_ name: String) -> URL {
        URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".config/\(name).plist")
    }
}
