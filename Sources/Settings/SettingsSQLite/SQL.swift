/// Every statement that a store runs.
///
/// `scope` keeps a row for a removed scope too, so that its revision never goes back. `changed` numbers commits: a
/// reader that remembers the greatest number finds all later commits. It has no index: each commit would write one more page,
/// and only after a commit of another process is the table searched. A value is JSON text, or a sealed secret.
enum SQL {
    /// 'SETT', which distinguishes the files from those of other programs.
    static let applicationID = 0x5345_5454

    /// The version of the schema; earlier ones were in no release.
    static let version = 3

    static let schema = """
        CREATE TABLE meta (
            name TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE scope (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            revision INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            updated_by TEXT NOT NULL,
            removed INTEGER NOT NULL,
            changed INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE setting (
            scope INTEGER NOT NULL REFERENCES scope (id) ON DELETE CASCADE,
            key TEXT NOT NULL,
            value TEXT,
            sealed BLOB,
            PRIMARY KEY (scope, key),
            CHECK ((value IS NULL) <> (sealed IS NULL))
        ) STRICT, WITHOUT ROWID;
        """

    static let synchronous = "PRAGMA synchronous = FULL"
    /// What is removed or sealed anew leaves nothing behind in the file.
    static let secureDelete = "PRAGMA secure_delete = ON"
    static let journal = "PRAGMA journal_mode = WAL"
    /// A commit writes whole pages, three or four for a changed setting; the settings of a printer take about one of 1 KB.
    static let pageSize = "PRAGMA page_size = 1024"
    static let readApplicationID = "PRAGMA application_id"
    static let writeApplicationID = "PRAGMA application_id = \(applicationID)"
    static let readVersion = "PRAGMA user_version"
    static let writeVersion = "PRAGMA user_version = \(version)"
    static let countObjects = "SELECT count(*) FROM sqlite_master"
    /// The structure and the types of all tables, and the indices of `scope`, by which records are found.
    static let checks = ["PRAGMA quick_check(1)", "PRAGMA integrity_check(scope)"]
    static let dataVersion = "PRAGMA data_version"

    static let readMeta = "SELECT value FROM meta WHERE name = ?"
    static let writeMeta = """
        INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """

    static let scopes = "SELECT name FROM scope WHERE removed = 0 AND name >= ? AND name < ?"
    static let removedRevision = "SELECT revision FROM scope WHERE name = ? AND removed = 1"
    static let record = records("name = ?")
    static let recordsInRange = records("name >= ? AND name < ?")
    private static func records(_ condition: String) -> String {
        """
        SELECT scope.id, name, revision, updated_at, updated_by, key, value, sealed
        FROM scope LEFT JOIN setting ON setting.scope = scope.id
        WHERE removed = 0 AND \(condition)
        """
    }

    static let lastChange = "SELECT coalesce(max(changed), 0) FROM scope"
    static let changedSince = "SELECT name, changed FROM scope WHERE changed > ?"

    static let putScope = """
        INSERT INTO scope (name, revision, updated_at, updated_by, removed, changed)
        VALUES (?, ?, ?, ?, 0, ?)
        ON CONFLICT (name) DO UPDATE SET
            revision = excluded.revision, updated_at = excluded.updated_at, updated_by = excluded.updated_by,
            removed = 0, changed = excluded.changed
        RETURNING id
        """
    static let updateScope = """
        UPDATE scope SET revision = ?, updated_at = ?, updated_by = ?, removed = 0, changed = ? WHERE id = ? AND name = ?
        """
    static let removeScope = """
        INSERT INTO scope (name, revision, updated_at, updated_by, removed, changed)
        VALUES (?, ?, 0, '', 1, ?)
        ON CONFLICT (name) DO UPDATE SET removed = 1, revision = excluded.revision, changed = excluded.changed
        RETURNING id
        """
    static let putSetting = """
        INSERT INTO setting (scope, key, value, sealed) VALUES (?, ?, ?, ?)
        ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value, sealed = excluded.sealed
        """
    static let removeSetting = "DELETE FROM setting WHERE scope = ? AND key = ?"
    static let removeSettings = "DELETE FROM setting WHERE scope = ?"
}
