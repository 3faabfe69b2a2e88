import Foundation
import SettingsSQLite
import SettingsSamples
import SettingsTesting
import StoredSettings
import TestSupport

/// What the stores that keep a file have in common.
protocol FileStore: SettingsStore {
    func close() throws
}

extension SQLiteSettingsStore: FileStore {}
extension JSONFileSettingsStore: FileStore {}

/// The kinds of stores that keep a file, for tests that hold for each.
enum FileStoreKind: String, CaseIterable, Sendable, Codable {
    case sqlite
    case json

    /// Opens one; secrets have the key 1 unless another is given.
    func open(_ path: String, key: UInt8? = 1, options: FileStoreOptions = .init()) throws -> any FileStore {
        let sealer = try key.map(sealer)
        return switch self {
        case .sqlite: try SQLiteSettingsStore(path: path, sealer: sealer, options: options)
        case .json: try JSONFileSettingsStore(path: path, sealer: sealer, options: options)
        }
    }

    /// For the conformance suite; each new instance has a directory of its own.
    var underTest: StoreUnderTest {
        var options = FileStoreOptions()
        options.watchInterval = .milliseconds(50)
        // Two writers at full speed on a busy machine.
        options.busyTimeout = .seconds(60)
        return StoreUnderTest(rawValue) { [options] in
            let directory = try TemporaryDirectory()
            let open = { @Sendable () throws -> any SettingsStore in
                try self.open(directory.file("store").path, options: options)
            }
            return StoreUnderTest.Instance(try open(), openAgain: open)
        }
    }
}
