import GRDB

extension Database {
    /// The name of the key that sealed the secrets of the store; nil while nothing was sealed.
    func sealingKey() throws -> String? {
        try String.fetchOne(try cachedStatement(sql: SQL.readMeta), arguments: ["key"])
    }

    /// Remembers that name.
    func setSealingKey(_ name: String) throws {
        guard try sealingKey() != name else { return }
        try cachedStatement(sql: SQL.writeMeta).execute(arguments: ["key", name])
    }
}
