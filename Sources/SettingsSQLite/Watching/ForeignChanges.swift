import GRDB

/// Finds what other processes committed, by asking SQLite whether anybody else did; confined to one connection.
struct ForeignChanges {
    /// SQLite's counter of commits that other connections made.
    private var version = 0
    /// The greatest number of a commit that has been told.
    private(set) var last: Int

    init(_ database: Database) throws {
        version = try Self.version(database)
        last = try Self.last(database)
    }

    /// The scopes that others changed since the last time; costs one look into shared memory when there are none.
    mutating func look(_ database: Database) throws -> Set<String> {
        let version = try Self.version(database)
        guard version != self.version else { return [] }
        let scopes = try all(database)
        self.version = version
        return scopes
    }

    /// Takes note of a commit of our own; all before it have been looked at inside its transaction.
    mutating func note(_ change: Int) { last = max(last, change) }

    private mutating func all(_ database: Database) throws -> Set<String> {
        let newest = try Self.last(database)
        guard newest > last else { return [] }
        let statement = try database.cachedStatement(sql: SQL.changedSince)
        let scopes = try String.fetchSet(statement, arguments: [last])
        last = newest
        return scopes
    }

    private static func version(_ database: Database) throws -> Int {
        try Int.fetchOne(try database.cachedStatement(sql: SQL.dataVersion)) ?? 0
    }

    private static func last(_ database: Database) throws -> Int {
        try Int.fetchOne(try database.cachedStatement(sql: SQL.lastChange)) ?? 0
    }
}
