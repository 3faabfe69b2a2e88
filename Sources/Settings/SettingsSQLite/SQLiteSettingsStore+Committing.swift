import Foundation
import GRDB
import GRDBSQLite
import Platform
import StoredSettings
import Synchronization

extension SQLiteSettingsStore {
    /// What the writing connection knows of the commits so far.
    struct State {
        var commits = 0
        /// SQLite's counter of commits that other connections made.
        var version: Int
        /// The number of the last commit that observers know.
        var last: Int

        init(_ database: Database) throws {
            version = try database.number(SQL.dataVersion)
            last = try database.number(SQL.lastChange)
            guard SettingsRecord.isRevision(last) else {
                throw SettingsError(.corrupted, "the number of the last change is damaged")
            }
        }
    }

    private struct Commit {
        var others = StoreChanges()
        var changes = StoreChanges()
        /// Answer the callers, once the commit is durable.
        var deliveries: [@Sendable () -> Void] = []
    }

    func add(_ job: WriteJob) {
        if waiting.add(job) { writeQueue.asyncWriteWithoutTransaction { [self] in drain($0) } }
    }

    /// Tells observers what other processes have committed; throws if the file can no longer be read.
    func look() throws {
        try SettingsError.wrapping(path: path) {
            try checkFile()
            try writeQueue.inDatabase { observers.tell(try others($0)) }
        }
    }

    /// The commits of other processes since the last look; without any, it costs one read of shared memory.
    private func others(_ database: Database) throws -> StoreChanges {
        let version = try database.number(SQL.dataVersion)
        let last = state.withLock { $0.version == version ? nil : $0.last }
        guard let last else { return StoreChanges() }
        let rows = try Row.fetchAll(try database.cachedStatement(sql: SQL.changedSince), arguments: [last])
        let scopes = Set(try rows.map { try $0.decode(String.self, atIndex: 0) })
        let newest = try rows.map { try $0.decode(Int.self, atIndex: 1) }.max() ?? last
        cache.remove(scopes)
        let changes = StoreChanges(of: scopes, in: recordReader(of: database))
        state.withLock { ($0.version, $0.last) = (version, newest) }
        return changes
    }

    private func recordReader(of database: Database) -> RecordReader {
        RecordReader(database: database, secrets: secrets, epoch: epoch, cache: cache)
    }

    /// Runs the waiting transactions in as few commits as possible.
    private func drain(_ database: Database) {
        while let jobs = waiting.next() {
            var commit = Commit()
            do {
                try run(jobs, database, &commit)
            } catch {
                cache.removeAll()
                if database.isInsideTransaction { try? database.rollback() }
                let error = SettingsError.wrapping(error, path: path)
                commit.changes = StoreChanges()
                commit.deliveries = jobs.map { job in { job.fail(error) } }
            }
            observers.tell(commit.others)
            observers.tell(commit.changes)
            for deliver in commit.deliveries { deliver() }
        }
    }

    /// Each job sees the changes of those before it; one that throws leaves nothing and fails alone.
    private func run(_ jobs: [WriteJob], _ database: Database, _ commit: inout Commit) throws {
        try database.beginTransaction(.immediate)
        try database.requireFile(at: path)
        // Inside the transaction, where no other process can write.
        commit.others = try others(database)
        let change = state.withLock(\.last) + 1
        let reader = recordReader(of: database)
        let writer = RecordWriter(database: database, secrets: secrets, cache: cache, change: change)
        for job in jobs {
            var transaction = SettingsTransaction(over: reader)
            let sealed: RecordWriter.SealedSecrets
            do {
                let delivery = try job.run(&transaction)
                sealed = try writer.seal(transaction.writes)
                commit.deliveries.append(delivery)
            } catch  where database.isInsideTransaction {
                let error = SettingsError.wrapping(error, path: path)
                commit.deliveries.append { job.fail(error) }
                continue
            }
            // From here on, an error of SQLite fails the whole commit.
            let writes = transaction.writes
            try writer.write(writes, sealed)
            commit.changes.add(StoreChanges(writes))
        }
        guard !commit.changes.isEmpty else { return try database.rollback() }
        try database.commit()
        state.withLock { state in
            state.last = change
            state.commits += 1
        }
    }
}

extension Database {
    fileprivate func number(_ sql: String) throws -> Int { try Int.fetchOne(try cachedStatement(sql: sql)) ?? 0 }

    /// Refuses a file without a name, which disappears when the program closes it, and one that was emptied.
    func requireFile(at path: String) throws {
        var hasMoved: CInt = 0
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if hasMoved == 0 {
            var status = stat()
            guard stat(path, &status) == 0, status.st_size == 0 else { return }
            throw SettingsError(.corrupted, "\(path) was emptied while it was in use: put a backup in its place")
        }
        // SQLite takes a file that it must not look at for one that is gone.
        if access(path, F_OK) != 0, errno == EACCES { throw SystemFailure(of: path, "cannot be reached") }
        let advice = "put it back, or restart this program to use what is there"
        throw SettingsError(.unavailable, "\(path) was removed or replaced while it was in use: \(advice)")
    }
}
