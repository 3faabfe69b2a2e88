import Foundation
import SettingsSQLite
import SettingsSamples
import SettingsTesting
import SettingsUserDefaults
import StoredSettings
import TestSupport

extension StoreUnderTest {
    /// Every store of the library; each new instance has a directory of its own.
    static let all: [StoreUnderTest] = [.inMemory, .sqlite, .jsonFile, .userDefaults]

    private static var options: FileStoreOptions {
        var options = FileStoreOptions()
        options.watchInterval = .milliseconds(50)
        // Two writers at full speed on a busy machine.
        options.busyTimeout = .seconds(60)
        return options
    }

    static let sqlite = StoreUnderTest("SQLiteSettingsStore") {
        let directory = try TemporaryDirectory()
        let open = { @Sendable in
            try SQLiteSettingsStore(path: directory.file("s.sqlite").path, sealer: ToySealer(), options: options)
        }
        return Instance(try open(), openAgain: open)
    }

    static let jsonFile = StoreUnderTest("JSONFileSettingsStore") {
        let directory = try TemporaryDirectory()
        let open = { @Sendable in
            try JSONFileSettingsStore(path: directory.file("s.json").path, sealer: ToySealer(), options: options)
        }
        return Instance(try open(), openAgain: open)
    }

    static let userDefaults = StoreUnderTest("UserDefaultsSettingsStore") {
        let suite = TemporarySuite()
        let open = { @Sendable in
            try UserDefaultsSettingsStore(suite: suite.name, sealer: ToySealer(), watchInterval: .milliseconds(50))
        }
        return Instance(try open(), openAgain: open)
    }
}
