import Foundation
import Settings
import SettingsTesting
import TestSupport

/// The secret stores that can be written.
enum SecretStoreKind: CaseIterable, Sendable {
    case memory, files, sqlite, json

    /// Opens it in a directory; what was stored there before is found again, but by the one in memory.
    func open(_ directory: TemporaryDirectory) throws -> any SecretStore {
        switch self {
        case .memory: InMemorySecretStore()
        case .files: FileSecretStore(directory: directory.file("secrets").path)
        case .sqlite: SettingsSecretStore(try FileStoreKind.sqlite.open(directory.file("s").path))
        case .json: SettingsSecretStore(try FileStoreKind.json.open(directory.file("s").path))
        }
    }
}
