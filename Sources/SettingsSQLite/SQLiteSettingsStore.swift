import GRDB
public import Settings

/// Settings in one SQLite file that survives crashes, and that several processes may share.
///
/// Written ahead (WAL) with `synchronous=FULL`: what ``transact(_:)`` returned is on the disk. The file is readable by its
/// owner only (0600), and secrets in it are sealed. Commits of other processes are noticed within ``Options/watchInterval``.
/// An idle store writes nothing. A damaged file is an error, also where a bit only made another value of one; damage to
/// what was written ahead (`-wal`) takes back the last transactions, as SQLite cannot tell it from a commit cut short.
///
/// ```swift
/// let store = try SQLiteSettingsStore(path: "/var/lib/lamp/settings.sqlite", sealer: sealer)
/// ```
public final class SQLiteSettingsStore: SettingsStore {
    /// How a store is opened.
    public struct Options: Sendable {
        /// Whether nothing may be written: for a look at a store that another process runs.
        public var readOnly = false
        /// How long to wait for another writer.
        public var busyTimeout: Duration = .seconds(5)
        /// How often to ask whether another process changed something, while anybody listens to ``changes()``.
        public var watchInterval: Duration = .milliseconds(500)

        /// Whether secrets are read as their mask, for which no key is needed; such a store is only read.
        public var masksSecrets = false
        /// Keys that were in use before: what one of them sealed is sealed anew when the store is opened for writing.
        public var formerSealers: [any SecretSealer] = []

        /// Reads and writes, waits 5 s, asks twice a second.
        public init() {}

        /// Only reads.
        public static var readOnly: Options {
            var options = Options()
            options.readOnly = true
            return options
        }
    }

    /// The file.
    public let path: String
    /// Identifies the store: a random text made with it.
    ///
    /// It is another one when the file is found to be a copy, or a backup was copied over it, as far as the file system knows
    /// when a file was made and keeps extended attributes.
    public let epoch: String

    private let reader: GuardedConnection
    private let queue: WriteQueue?
    private let secrets: LockedValue<SecretBox>
    private let watch: ChangeWatch
    private let ticker: Ticker

    /// Opens a store, which is made with its directory where there is none.
    ///
    /// Opening writes only when the store is made, is found to be a copy, or its schema is brought up. It blocks the thread
    /// for as long as the file system takes, and for at most the time to wait for another writer.
    ///
    /// - Parameters:
    ///   - path: The file; SQLite keeps two more beside it.
    ///   - sealer: Seals secrets; without one they can neither be read nor written.
    ///   - options: How it is opened.
    /// - Throws: ``SettingsError`` with a code such as ``SettingsError/Code/newerSchema``,
    ///   ``SettingsError/Code/foreignFile``, ``SettingsError/Code/corrupted`` or ``SettingsError/Code/wrongKey``. Nothing was changed then.
    public init(path: String, sealer: (any SecretSealer)? = nil, options: Options = Options()) throws {
        let connection = Connection(path: path, busyTimeout: options.busyTimeout)
        let secrets = LockedValue(
            SecretBox(sealer: sealer, former: options.formerSealers, path: path, masksSecrets: options.masksSecrets)
        )
        let readOnly = options.readOnly || options.masksSecrets
        do {
            let writer = readOnly ? nil : GuardedConnection(try connection.openWriter(), path: path)
            let reader = GuardedConnection(try connection.openReader(checking: readOnly), path: path)
            let (epoch, key) = try reader.read { database in
                (
                    try String.fetchOne(database, sql: SQL.readMeta, arguments: ["epoch"]),
                    try String.fetchOne(database, sql: SQL.readMeta, arguments: ["key"])
                )
            }
            guard let epoch else { throw SettingsError(.corrupted, "the store \(path) has lost its identity") }
            try secrets.value.check(key)
            if let writer, let sealer = secrets.value.successor(of: key) {
                let rotation = KeyRotation(secrets: secrets.value, sealer: sealer)
                try writer.write(rotation.run)
            }
            let watch = try ChangeWatch(writer ?? reader)
            self.path = path
            self.epoch = epoch
            self.reader = reader
            self.secrets = secrets
            self.watch = watch
            queue = writer.map { WriteQueue($0, watch: watch, secrets: secrets, epoch: epoch) }
            ticker = Ticker(every: options.watchInterval, while: { watch.broadcaster.hasReaders }) { watch.look() }
        } catch {
            throw SettingsError.wrapping(error, path: path)
        }
    }

    deinit {
        ticker.stop()
        watch.broadcaster.finish()
    }

    /// What the store did since it was opened.
    public var statistics: SQLiteStoreStatistics { queue?.statistics ?? SQLiteStoreStatistics() }

    /// The names of all scopes that begin with `prefix`, sorted.
    public func scopes(prefix: String) throws -> [String] {
        try read { try $0.scopes(prefix: prefix) }
    }

    /// What is stored for a scope; nil if there is nothing.
    public func record(_ scope: String) throws -> SettingsRecord? {
        try read { try $0.record(scope) }
    }

    /// All records whose scopes begin with `prefix`, as they were at one moment.
    public func records(prefix: String) throws -> [String: SettingsRecord] {
        try read { try $0.records(prefix: prefix) }
    }

    /// The records of some scopes as they are at one moment, read on a thread of the store's own.
    public func records(of scopes: Set<String>) async throws -> [String: SettingsRecord] {
        do {
            return try await reader.readAsync { [secrets, epoch] database in
                let reader = RecordReader(database: database, secrets: secrets.value, epoch: epoch)
                var records: [String: SettingsRecord] = [:]
                for scope in scopes { records[scope] = try reader.record(scope) }
                return records
            }
        } catch {
            throw SettingsError.wrapping(error, path: path)
        }
    }

    /// Runs `body` alone against every other writer, other processes included, and makes its changes durable.
    ///
    /// Transactions that wait at the same time share one commit; each still stands or falls alone.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        guard let queue else { throw SettingsError(.readOnly, "the store \(path) was opened for reading only") }
        return try await withCheckedThrowingContinuation { queue.add(WriteJob(body, for: $0)) }
    }

    /// Seals all secrets with another key, in one transaction: all of them or none, whatever happens meanwhile.
    ///
    /// What another process that has only the old key reads or writes of secrets is refused from then on. To be safe from
    /// being killed between this and the program's own change of keys, open the store with the old key among the
    /// ``Options/formerSealers`` of the new one: that does the same, once.
    ///
    /// - Parameter sealer: Seals and opens from now on.
    /// - Throws: ``SettingsError``, such as ``SettingsError/Code/corrupted`` for a secret that does not open. Nothing was
    ///   changed then.
    public func rotate(to sealer: any SecretSealer) async throws {
        guard let queue else { throw SettingsError(.readOnly, "the store \(path) was opened for reading only") }
        try await queue.rotate(to: sealer)
    }

    /// The scopes that this process or another changes from now on.
    public func changes(where isWanted: @escaping @Sendable (String) -> Bool) -> AsyncStream<StoreChanges> {
        let changes = watch.broadcaster.changes(where: isWanted)
        ticker.start()
        return changes
    }

    /// Finishes the transactions that wait, ends all streams, and closes the file; later use throws.
    ///
    /// A store that is released closes itself.
    public func close() throws {
        ticker.stop()
        watch.broadcaster.finish()
        do {
            // The writer last: whoever closes last moves the log into the file and removes it.
            try reader.close()
            try queue?.close()
        } catch {
            throw SettingsError.wrapping(error, path: path)
        }
    }

    private func read<Result>(_ body: (RecordReader) throws -> Result) throws -> Result {
        do {
            return try reader.read { database in
                try body(RecordReader(database: database, secrets: secrets.value, epoch: epoch))
            }
        } catch {
            throw SettingsError.wrapping(error, path: path)
        }
    }
}
