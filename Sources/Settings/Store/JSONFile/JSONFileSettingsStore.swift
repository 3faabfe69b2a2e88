import Synchronization

/// Settings in one JSON file that people can read, that survives crashes, and that several processes may share.
///
/// What ``transact(_:)`` returned is on the disk: a new file was written, flushed and renamed over the old one, and its
/// directory flushed. A copy of it lies beside it under the same name with `.last`, and takes its place when the file is
/// damaged or missing: that is never silent, see ``recovery``. Both are for their owner only (0600). Secrets are sealed,
/// or refused when there is no sealer. A symbolic link is followed, and members of the file that are unknown are kept.
/// Whoever edits the file by hand sets its `checksum` to `""`: otherwise it counts as damaged.
///
/// ```swift
/// let store = try JSONFileSettingsStore(path: "/var/lib/lamp/settings.json", sealer: sealer)
/// ```
public final class JSONFileSettingsStore: SettingsStore {
    /// How a store is opened.
    public struct Options: Sendable {
        /// How long to wait for another writer.
        public var busyTimeout: Duration = .seconds(5)
        /// How often to ask whether another process changed something, while anybody listens to ``changes()``.
        public var watchInterval: Duration = .milliseconds(500)
        /// The most bytes that the file may have.
        public var sizeLimit = 16 << 20
        /// Hears each time that the last good copy has to do; see ``JSONFileSettingsStore/recovery``.
        public var onRecovery: (@Sendable (SettingsError) -> Void)?

        /// Reads and writes up to 16 MiB, waits 5 s, asks twice a second.
        public init() {}

    }

    /// The file, as it was named.
    public let path: String

    private let cache: DocumentCache
    private let writer: DocumentWriter
    private let secrets: SecretBox
    private let recoveries: RecoveryLog
    private let ticker: Ticker
    private let isClosed = Atomic(false)

    /// Opens a store, which is made with its directory where there is none.
    ///
    /// Opening writes only when the store is made, or when the file is damaged and its last good copy takes its place: the
    /// damaged one is then kept under the same name with `.damaged-1`.
    ///
    /// - Parameters:
    ///   - path: The file; three more are kept beside it.
    ///   - sealer: Seals secrets; without one they can neither be read nor written.
    ///   - options: How it is opened.
    /// - Throws: ``SettingsError`` with a code such as ``SettingsError/Code/newerSchema``,
    ///   ``SettingsError/Code/foreignFile``, ``SettingsError/Code/corrupted`` or ``SettingsError/Code/wrongKey``. Nothing
    ///   was changed then.
    public init(path: String, sealer: (any SecretSealer)? = nil, options: Options = Options()) throws {
        let files = StoreFiles(main: try FileSystem.resolve(path), limit: options.sizeLimit)
        let recoveries = RecoveryLog(path: files.main, report: options.onRecovery)
        let cache = DocumentCache(files) { recoveries.note($0) }
        let secrets = SecretBox(sealer: sealer, path: path)
        let writer = DocumentWriter(cache, secrets: secrets, lockTimeout: options.busyTimeout) {
            recoveries.noteAside($0)
        }
        self.path = path
        self.cache = cache
        self.secrets = secrets
        self.recoveries = recoveries
        self.writer = writer
        ticker = Ticker(every: options.watchInterval, while: { cache.broadcaster.hasReaders }) {
            _ = try? cache.current()
        }
        for name in [files.main, files.last] { try FileSystem.restrict(name) }
        let document = try cache.current()
        if document == nil { try FileSystem.makeDirectory(files.directory) }
        if document.map({ cache.isFaulty || files.isBackup($0) }) ?? true { try writer.write { _ in } }
        try secrets.check(self.document().key)
    }

    deinit {
        ticker.stop()
        cache.broadcaster.finish()
    }

    /// Identifies the store: a random text made with it.
    ///
    /// It is another one when a backup was copied over the file and the store is opened or written then; a backup of the
    /// whole folder is not noticed.
    public var epoch: String { get throws { try document().epoch } }

    /// Why the last good copy was used in place of the file, and where the damaged file is; nil when all was well.
    public var recovery: SettingsError? { recoveries.last }

    /// The names of all scopes that begin with `prefix`, sorted.
    public func scopes(prefix: String) throws -> [String] { try reader().scopes(prefix: prefix) }

    /// What is stored for a scope; nil if there is nothing.
    public func record(_ scope: String) throws -> SettingsRecord? { try reader().record(scope) }

    /// All records whose scopes begin with `prefix`, as they were at one moment.
    public func records(prefix: String) throws -> [String: SettingsRecord] {
        let reader = try reader()
        return try reader.records(reader.scopes(prefix: prefix))
    }

    /// The records of some scopes as they are at one moment.
    ///
    /// What another process wrote meanwhile is read on the caller's thread: it is one file of a limited size.
    public func records(of scopes: Set<String>) async throws -> [String: SettingsRecord] {
        try reader().records(scopes)
    }

    /// Runs `body` alone against every other writer, other processes included, and makes its changes durable.
    ///
    /// Transactions that wait at the same time share one write of the file; each still stands or falls alone.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { writer.add(WriteJob(body, for: $0)) }
    }

    /// The scopes that this process or another changes from now on.
    public func changes(where isWanted: @escaping @Sendable (String) -> Bool) -> AsyncStream<StoreChanges> {
        let changes = cache.broadcaster.changes(where: isWanted)
        ticker.start()
        return changes
    }

    /// Finishes the transactions that wait, and ends all streams; later use throws.
    ///
    /// A store that is released closes itself.
    public func close() {
        isClosed.store(true, ordering: .releasing)
        ticker.stop()
        cache.broadcaster.finish()
        writer.close()
    }

    private func document() throws -> StoreDocument {
        guard !isClosed.load(ordering: .acquiring) else {
            throw SettingsError(.closed, "the store \(path) was closed")
        }
        guard let document = try cache.current() else {
            throw SettingsError(.unavailable, "there is no store of settings at \(path)")
        }
        return document
    }

    private func reader() throws -> DocumentReader { DocumentReader(document: try document(), secrets: secrets) }
}
