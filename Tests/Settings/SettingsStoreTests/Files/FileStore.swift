import SettingsSQLite
import SettingsSamples
import SettingsTesting
import StoredSettings

/// What the stores that keep a file have in common.
protocol FileStore: SettingsStore {
    func shut() throws
}

extension SQLiteSettingsStore: FileStore {
    func shut() throws { try close() }
}

extension JSONFileSettingsStore: FileStore {
    func shut() { close() }
}

/// The kinds of stores that keep a file, for tests that hold for each.
enum FileStoreKind: String, CaseIterable, Sendable, Codable {
    case sqlite
    case json

    /// Opens one; secrets have the key 1 unless another is given.
    func open(_ path: String, key: UInt64? = 1) throws -> any FileStore {
        let sealer = key.map(ToySealer.init)
        return switch self {
        case .sqlite: try SQLiteSettingsStore(path: path, sealer: sealer)
        case .json: try JSONFileSettingsStore(path: path, sealer: sealer)
        }
    }
}
