import Foundation
import GRDB
import Settings

/// A row of the table of scopes, and the checksum over it and its settings.
///
/// SQLite notices a page that makes no sense, and not one that makes another sense. The checksum does, so that a bit that
/// fell over is an error and never another value, or a default. A row without one is taken as it is: whoever changes
/// something by hand sets it to NULL.
struct ScopeRow {
    let id: Int64
    let name: String
    let revision: Int
    let updatedAt: Int64
    let updatedBy: String
    let applied: String
    let removed: Int
    private let expected: Int64?
    private var checksum: Checksum

    /// Takes the columns of ``SQL/scopeColumns``.
    init(_ row: Row, path: String) throws {
        guard
            let id: Int64 = row.checked(0), let name: String = row.checked(1), let revision: Int = row.checked(2),
            let updatedAt: Int64 = row.checked(3), let updatedBy: String = row.checked(4),
            let applied: String = row.checked(5), let removed: Int = row.checked(6)
        else { throw SettingsError(.corrupted, "a scope in \(path) is damaged: restore the file from a backup") }
        self.id = id
        self.name = name
        self.revision = revision
        self.updatedAt = updatedAt
        self.updatedBy = updatedBy
        self.applied = applied
        self.removed = removed
        expected = row.checked(7)
        checksum = .ofScope(name, updatedBy, applied, revision: revision, updatedAt: updatedAt, removed: removed)
    }

    /// Takes in a setting; they come in the order of their keys.
    mutating func add(_ setting: SettingRow) { checksum.add(setting) }

    /// What is to be stored with it once all settings were taken in.
    var total: Int64 { Int64(bitPattern: checksum.value) }

    /// Throws unless it is what was stored, once all settings were taken in.
    func verify(path: String) throws {
        guard expected != nil, expected != total else { return }
        throw SettingsError(
            .corrupted,
            "what is stored for \(name) in \(path) is damaged, as its checksum is wrong: restore the file from a backup"
        )
    }
}

extension Checksum {
    /// That of a scope without settings.
    static func ofScope(
        _ name: String,
        _ updatedBy: String,
        _ applied: String,
        revision: Int,
        updatedAt: Int64,
        removed: Int
    ) -> Checksum {
        var checksum = Checksum()
        for text in [name, updatedBy, applied] { checksum.add(part: text) }
        for number in [Int64(revision), updatedAt, Int64(removed)] { checksum.add(number) }
        return checksum
    }

    /// Takes in a setting; they come in the order of their keys.
    mutating func add(_ setting: SettingRow) {
        add(part: setting.key)
        add(part: setting.value ?? "")
        add(part: setting.sealed ?? Data())
    }
}

/// A row of the table of settings.
struct SettingRow {
    let key: String
    let value: String?
    let sealed: Data?

    init(key: String, value: String?, sealed: Data?) {
        self.key = key
        self.value = value
        self.sealed = sealed
    }

    /// Takes key, value and sealed value, the first of which is at `index`; nil where they are damaged.
    init?(_ row: Row, from index: Int = 0) {
        guard let key: String = row.checked(index) else { return nil }
        self.key = key
        value = row.checked(index + 1)
        sealed = row.checked(index + 2)
    }
}

extension Row {
    /// The value of a column; nil also when it is of another type, which would stop the program otherwise.
    func checked<Value: DatabaseValueConvertible>(_ index: Int) -> Value? {
        Value.fromDatabaseValue(self[index] as DatabaseValue)
    }
}
