import Foundation
import GRDB
import Platform
import StoredSettings

/// Opens connections to a store's file, which only its owner may read, and brings its schema up.
struct DatabaseOpener {
    let path: String
    let busyTimeout: Duration

    init(path: String, busyTimeout: Duration) throws {
        guard path != ":memory:" else {
            throw SettingsError(.unavailable, "\(path) is no file: use InMemorySettingsStore for settings in memory")
        }
        self.path = absolutePath(path)
        self.busyTimeout = busyTimeout
    }

    /// A connection that writes, after bringing the schema up to date; it only reads if the file cannot be written.
    func openWriter() throws -> DatabaseQueue {
        try SettingsError.wrapping(path: path) {
            if access(path, F_OK) != 0 { try create() }
            guard !isEmpty else {
                let advice = "restore it from a backup, or remove it to begin anew"
                throw SettingsError(.corrupted, "\(path) is empty and lost what it held: \(advice)")
            }
            guard isWritable else {
                let queue = try openReader()
                try queue.inDatabase { database in
                    _ = try version(database)
                    try check(database)
                }
                try restrict()
                return queue
            }
            let queue = try retrying { try open(path) }
            try retrying { try queue.inDatabase(prepare) }
            try restrict()
            return queue
        }
    }

    /// Lets only the owner read the file, and those that SQLite keeps beside it.
    ///
    /// Not before it is known as a store: another program may need its file as it is.
    private func restrict() throws {
        for name in [path, path + "-wal", path + "-shm"] { try restrictToOwner(name, allowsForeign: true) }
    }

    /// A connection that only reads.
    func openReader() throws -> DatabaseQueue {
        try SettingsError.wrapping(path: path) {
            let path = try readingPath()
            return try DatabaseQueue(path: path, configuration: configuration(readOnly: true))
        }
    }

    /// Gives the store another epoch.
    func renewEpoch() throws {
        let queue = try openWriter()
        try SettingsError.wrapping(path: path) {
            try queue.inDatabase(writeNewEpoch)
            try queue.close()
        }
    }

    /// Makes the directory (0700) where it is missing, and the file (0600) with its schema.
    ///
    /// The file gets its name when it is complete, so an empty file of that name is damaged and not new.
    private func create() throws {
        try makePrivateDirectory(directory(of: path))
        try makePrivateFile(path, mayReplace: true) { draft in
            defer { for name in [draft + "-wal", draft + "-shm"] { unlink(name) } }
            let queue = try open(draft)
            try queue.inDatabase(prepare)
            try queue.close()
        }
    }

    private var isEmpty: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0
    }

    /// Whether the file and its directory can be written; SQLite opens other files too, and fails later.
    private var isWritable: Bool { access(path, W_OK) == 0 && access(directory(of: path), W_OK) == 0 }

    /// The path or URI with which a connection that only reads opens the file.
    ///
    /// SQLite needs an index file beside a log to read it. Where it cannot make one, only a file without a log can be read.
    private func readingPath() throws -> String {
        if isWritable || access(path + "-shm", F_OK) == 0 { return path }
        var log = stat()
        guard stat(path + "-wal", &log) != 0 || log.st_size == 0 else {
            let reason = "the last changes of \(path) are in its log, and this place permits no writing"
            throw SettingsError(.readOnly, "\(reason): open the store once where it can be written")
        }
        return URL(fileURLWithPath: path).absoluteString + "?immutable=1"
    }

    private func writeNewEpoch(_ database: Database) throws {
        try database.execute(sql: SQL.writeMeta, arguments: ["epoch", String.randomEpoch()])
    }

    private func open(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: configuration(readOnly: false))
    }

    private func configuration(readOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.label = readOnly ? "settings.reader" : "settings.writer"
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        configuration.qos = .default
        if !readOnly {
            configuration.prepareDatabase { database in
                try database.execute(sql: SQL.synchronous)
                _ = try Int.fetchOne(database, sql: SQL.secureDelete)
            }
        }
        return configuration
    }

    private func prepare(_ database: Database) throws {
        // Check before writing: the file of another program stays unchanged.
        if try version(database) == 0 {
            try database.execute(sql: SQL.pageSize)
            _ = try String.fetchOne(database, sql: SQL.journal)
            try makeSchema(database)
        } else if try String.fetchOne(database, sql: SQL.journal) != "wal" {
            throw SettingsError(.unavailable, "the file system of \(path) does not permit write-ahead logging")
        }
        try check(database)
    }

    /// Checks the whole file once, so that damage is found here and not at a later read.
    private func check(_ database: Database) throws {
        for check in SQL.checks {
            guard let fault = try String.fetchOne(database, sql: check), fault != "ok" else { continue }
            throw SettingsError(.corrupted, "the settings in \(path) are damaged: restore the file from a backup")
        }
    }

    private func makeSchema(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            // Another process may have made the schema while this one waited for the lock.
            if try version(database) == 0 {
                try database.execute(sql: SQL.schema)
                try database.execute(sql: SQL.writeApplicationID)
                try writeNewEpoch(database)
                try database.execute(sql: SQL.writeVersion)
            }
            return .commit
        }
    }

    /// The version of the schema; 0 for an empty file.
    private func version(_ database: Database) throws -> Int {
        let version = try Int.fetchOne(database, sql: SQL.readVersion) ?? 0
        let application = try Int.fetchOne(database, sql: SQL.readApplicationID) ?? 0
        if application != SQL.applicationID {
            guard version == 0, try Int.fetchOne(database, sql: SQL.countObjects) == 0 else {
                throw SettingsError(.foreignFile, "\(path) is a database, but not a store of settings")
            }
        }
        guard [0, SQL.version].contains(version) else {
            let reason = "\(path) was written by another version (schema \(version), this one knows \(SQL.version))"
            let advice = "use that version, or restore a backup from before the upgrade"
            throw SettingsError(.newerSchema, "\(reason): \(advice)")
        }
        return version
    }

    /// Retries while the file is busy: SQLite does not wait when two processes open a store at once.
    private func retrying<Result>(_ body: () throws -> Result) throws -> Result {
        let deadline = ContinuousClock.now + busyTimeout
        while true {
            do {
                return try body()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
            {
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }
}
