import GRDB
import Settings

/// Writes and verifies the checksums of scopes.
struct ScopeChecksums {
    let database: Database
    let path: String

    /// Writes the checksum of a scope as it is now.
    func update(_ id: Int64) throws {
        let row = try summed(try row(id))
        try database.cachedStatement(sql: SQL.writeChecksum).execute(arguments: [row.total, id])
    }

    /// Throws when a scope that is not read, as it was removed, is not what was written.
    func verifyRemoved() throws {
        for row in try Row.fetchAll(database, sql: SQL.removedScopes) {
            try summed(try ScopeRow(row, path: path)).verify(path: path)
        }
    }

    private func row(_ id: Int64) throws -> ScopeRow {
        guard let row = try Row.fetchOne(try database.cachedStatement(sql: SQL.scopeByID), arguments: [id]) else {
            throw DatabaseError(resultCode: .SQLITE_INTERNAL, message: "no row for a scope")
        }
        return try ScopeRow(row, path: path)
    }

    private func summed(_ row: ScopeRow) throws -> ScopeRow {
        var row = row
        let rows = try Row.fetchCursor(try database.cachedStatement(sql: SQL.settings), arguments: [row.id])
        while let setting = try rows.next() {
            if let setting = SettingRow(setting) { row.add(setting) }
        }
        return row
    }
}
