import Settings
import SettingsSQLite
import SettingsTesting

/// What the stores that keep a file have in common.
protocol FileStore: SettingsStore {
    func rotate(to sealer: any SecretSealer) async throws
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

    /// How one is opened; secrets have the key 1 unless another is given.
    struct Opening: Sendable {
        var key: UInt64? = 1
        var former: [UInt64] = []
        var readOnly = false
        var masksSecrets = false
    }

    func open(_ path: String, _ opening: Opening = Opening()) throws -> any FileStore {
        let sealer = opening.key.map(ToySealer.init)
        let former = opening.former.map(ToySealer.init)
        switch self {
        case .sqlite:
            var options = SQLiteSettingsStore.Options()
            options.formerSealers = former
            options.readOnly = opening.readOnly
            options.masksSecrets = opening.masksSecrets
            return try SQLiteSettingsStore(path: path, sealer: sealer, options: options)
        case .json:
            var options = JSONFileSettingsStore.Options()
            options.formerSealers = former
            options.readOnly = opening.readOnly
            options.masksSecrets = opening.masksSecrets
            return try JSONFileSettingsStore(path: path, sealer: sealer, options: options)
        }
    }
}
