import Foundation
import GRDB
import Settings

/// A record that is put together row by row, and verified at the end.
struct RecordAssembly {
    private(set) var row: ScopeRow
    /// The settings' rows, in the order of their keys.
    private(set) var settings: [SettingRow] = []
    private let secrets: SecretBox
    private var record: SettingsRecord

    /// Begins with the row of a scope.
    init(_ row: Row, secrets: SecretBox) throws {
        let row = try ScopeRow(row, path: secrets.path)
        self.row = row
        self.secrets = secrets
        guard let ids = try? SettingValue(json: row.applied, limits: .stored).arrayValue else {
            throw Self.damaged(row.name, "applied", secrets.path)
        }
        record = SettingsRecord(
            values: [:],
            revision: row.revision,
            updatedAt: Date(storedMilliseconds: row.updatedAt),
            updatedBy: row.updatedBy,
            applied: ids.compactMap(\.stringValue)
        )
    }

    /// Adds a setting; secrets are opened with the key of that name.
    mutating func add(_ setting: SettingRow?, known: String?) throws {
        guard let setting else { throw Self.damaged(row.name, "with a key that is no text", secrets.path) }
        row.add(setting)
        settings.append(setting)
        let key = setting.key
        if let sealed = setting.sealed {
            let secret = try secrets.open([UInt8](sealed), scope: row.name, key: key, known: known)
            record.values[key] = .secret(secret)
        } else if let text = setting.value, let value = try? SettingValue(json: text, limits: .stored) {
            record.values[key] = value
        } else {
            throw Self.damaged(row.name, key, secrets.path)
        }
    }

    /// The record, when all settings were added.
    func finish() throws -> SettingsRecord {
        try row.verify(path: secrets.path)
        return record
    }

    private static func damaged(_ scope: String, _ key: String, _ path: String) -> SettingsError {
        SettingsError(
            .corrupted,
            "what is stored for \(scope) \(key) in \(path) is damaged: restore the file from a backup"
        )
    }
}
