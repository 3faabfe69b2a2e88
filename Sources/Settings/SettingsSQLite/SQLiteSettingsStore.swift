import Foundation
import GRDB
import GRDBSQLite
import Platform
public import StoredSettings
import Synchronization

/// Settings in one SQLite file that survives crashes, and that several processes may share.
///
/// Written ahead (WAL) with `synchronous=FULL`: what ``transact(_:)`` returned is on the disk. The file is readable by its
/// owner only (0600), and secrets in it are sealed. Commits of other processes are noticed within half a second, and
/// so is a file that was removed or can no longer be read. An idle store writes nothing. A file whose structure is damaged is
/// an error; damage to the log (`-wal`) takes back the last transactions, as SQLite cannot tell it from a commit cut short.
///
/// ```swift
/// let store = try SQLiteSettingsStore(path: "/var/lib/lamp/settings.sqlite", sealer: sealer)
/// ```
public final class SQLiteSettingsStore: SettingsStore {
    /// The file, as an absolute path.
    public let path: String
    /// Identifies the store: a random text made with it, see ``renewEpoch(of:)``.
    public let epoch: String

    private let readQueue: DatabaseQueue
    let writeQueue: DatabaseQueue
    let secrets: SecretBox
    let cache = RecordCache()
    let waiting = WaitingJobs()
    let observers = StoreObservers()
    let state: Mutex<State>
    private let watchInterval: Duration

    /// Opens a store, which is made with its directory where there is none.
    ///
    /// SQLite keeps two more files beside that at `path`. On a read-only mount the store only reads. Without a sealer,
    /// secrets can neither be read nor written. Opening writes only when the store is made. It
    /// blocks the thread for as long as the file system takes, and for at most 5 s while another process writes.
    ///
    /// - Throws: ``SettingsError`` with a code such as ``SettingsError/Code/newerSchema``,
    ///   ``SettingsError/Code/foreignFile``, ``SettingsError/Code/corrupted`` or ``SettingsError/Code/wrongKey``. Nothing was
    ///   changed then.
    public convenience init(path: String, sealer: (any SecretSealer)? = nil) throws {
        try self.init(path: path, sealer: sealer, options: FileStoreOptions())
    }

    /// Gives the store in a file another epoch: a copy needs it, because it counts revisions on as the original does.
    ///
    /// - Throws: ``SettingsError``; nothing was changed then.
    public static func renewEpoch(of path: String) throws {
        try DatabaseOpener(path: path, busyTimeout: FileStoreOptions().busyTimeout).renewEpoch()
    }

    package init(path: String, sealer: (any SecretSealer)? = nil, options: FileStoreOptions) throws {
        let opener = try DatabaseOpener(path: path, busyTimeout: options.busyTimeout)
        let path = opener.path
        let secrets = SecretBox(sealer: sealer, path: path)
        do {
            let writeQueue = try opener.openWriter()
            let readQueue = try opener.openReader()
            let (epoch, key) = try readQueue.readAtOneMoment { try ($0.meta("epoch"), $0.meta("key")) }
            guard let epoch else { throw SettingsError(.corrupted, "the store \(path) has lost its identity") }
            try secrets.check(key)
            let state = try writeQueue.readAtOneMoment(State.init)
            self.path = path
            self.epoch = epoch
            self.readQueue = readQueue
            self.writeQueue = writeQueue
            self.secrets = secrets
            self.state = Mutex(state)
            watchInterval = options.watchInterval
        } catch {
            throw SettingsError.wrapping(error, path: path)
        }
    }

    /// The number of durable commits since it was opened; each costs one flush of the disk.
    package var commits: Int { state.withLock(\.commits) }

    /// Reads what is stored at one moment, and blocks the caller for as long.
    public func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        try SettingsError.wrapping(path: path) {
            try readQueue.readAtOneMoment { database in
                try database.requireFile(at: path)
                return try body(RecordReader(database: database, secrets: secrets, epoch: epoch))
            }
        }
    }

    /// Reads a row from the file, and not from pages in memory: these hide damage to the file.
    func checkFile() throws {
        _ = try readQueue.readAtOneMoment { database in
            try database.requireFile(at: path)
            sqlite3_db_release_memory(database.sqliteConnection)
            return try database.meta("epoch")
        }
    }

    /// Runs `body` alone against every other writer, other processes included, and makes its changes durable.
    ///
    /// Transactions that wait at the same time share one commit. One whose body throws fails alone; if the file cannot be
    /// written, all of them fail.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { add(WriteJob(body, for: $0)) }
    }

    /// Tells an observer what this process and others commit from now on.
    public func add(_ observer: StoreObserver) {
        observers.add(observer, lookingEvery: watchInterval) { [weak self] in try self?.look() }
    }

    /// Copies the store as it is at one moment to a file that does not exist, while it is in use.
    ///
    /// Secrets stay sealed with the store's key.
    ///
    /// - Throws: ``SettingsError`` if the file cannot be written.
    public func copy(to path: String) async throws {
        // SQLite would make it readable by others; an empty file is as good as none.
        try SettingsError.wrapping(path: path) { _ = try OpenFile(new: path) }
        do {
            // SQLite's VACUUM runs outside of transactions only.
            try await readQueue.unsafeRead { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        } catch {
            unlink(path)
            // An error is about the copy, unless this store was closed.
            let isClosed = (error as? DatabaseError)?.resultCode == .SQLITE_MISUSE
            throw SettingsError.wrapping(error, path: isClosed ? self.path : path)
        }
    }

    /// Finishes the transactions that wait, and closes the file; later use throws.
    ///
    /// A store that is released closes itself.
    public func close() throws {
        observers.stopLooking()
        try SettingsError.wrapping(path: path) {
            // The writer last: the connection that closes last moves the log into the file and removes it.
            try readQueue.close()
            try writeQueue.close()
        }
    }
}

extension DatabaseQueue {
    /// Reads in one transaction.
    ///
    /// After the queue was closed it throws `SQLITE_MISUSE`, where GRDB's `read` ends the program.
    fileprivate func readAtOneMoment<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try unsafeRead { database in
            try database.beginTransaction(.deferred)
            defer { try? database.rollback() }
            return try body(database)
        }
    }
}
