/// Where settings last: records by scope, atomic transactions, and news of changes.
///
/// A store is three functions, and has the rest from them.
///
/// Names of scopes and keys are compared as Swift compares texts: two spellings of one text in Unicode, such as `é` and `e`
/// with an accent, are one name. The store chooses which of the spellings comes back.
public protocol SettingsStore: Sendable {
    /// Reads what is stored at one moment: quickly, and with everything that a returned ``transact(_:)`` wrote.
    ///
    /// - Parameter body: Reads; must neither block nor call the store.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw, or ``SettingsError``.
    func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result

    /// The records of some scopes at one moment, without blocking the caller's thread; by ``read(_:)`` unless implemented.
    func records(of scopes: Set<String>) async throws -> [String: SettingsRecord]

    /// Runs `body` alone against every other writer, other processes included, and makes its changes durable.
    ///
    /// Nothing of a body that throws is stored. Transactions that wait at the same time may be made durable together.
    /// Cancelling the task does not undo a transaction that was handed in.
    ///
    /// - Parameter body: Reads and changes records; must neither block nor call the store.
    /// - Returns: What `body` returned, once its changes are durable.
    /// - Throws: What `body` threw, or ``SettingsError``.
    @discardableResult
    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result

    /// The changes of this process and of others, from now on and once they are durable.
    ///
    /// A slow reader gets one value with all that changed since; nothing is lost and nothing piles up.
    ///
    /// - Parameter isWanted: Whether a scope's changes are told; must neither block nor call the store.
    /// - Returns: The changes; it ends when the store is closed.
    func changes(where isWanted: @escaping @Sendable (_ scope: String) -> Bool) -> AsyncStream<StoreChanges>
}

extension SettingsStore {
    /// Identifies the store: a random text made with it, new after a reset.
    public var epoch: String { get throws { try read { $0.epoch } } }

    /// The names of all scopes that begin with `prefix`, sorted.
    public func scopes(prefix: String) throws -> [String] { try read { try $0.scopes(prefix: prefix) } }

    /// What is stored for a scope; nil if there is nothing.
    public func record(_ scope: String) throws -> SettingsRecord? { try read { try $0.record(scope) } }

    /// All records whose scopes begin with `prefix`, at one moment.
    public func records(prefix: String) throws -> [String: SettingsRecord] {
        try read { try $0.records(prefix: prefix) }
    }

    /// The records of some scopes at one moment.
    public func records(of scopes: Set<String>) async throws -> [String: SettingsRecord] {
        try read { try $0.records(of: scopes) }
    }

    /// The changes of all scopes; see ``changes(where:)``.
    public func changes() -> AsyncStream<StoreChanges> { changes { _ in true } }
}

/// How a store in a file is opened.
public struct FileStoreOptions: Sendable {
    /// How long to wait for another writer.
    public var busyTimeout: Duration = .seconds(5)
    /// How often to look for changes of other processes, while ``SettingsStore/changes()`` has a reader.
    public var watchInterval: Duration = .milliseconds(500)

    /// Waits 5 s, asks twice a second.
    public init() {}
}

/// Scopes that changed in a store.
public struct StoreChanges: Sendable, Hashable {
    /// Their names.
    public var scopes: Set<String>
    /// The new records, as far as the store has them at hand; those of other scopes have to be read.
    public var records: [String: SettingsRecord]

    /// Names scopes, and the records of some of them.
    public init(_ scopes: Set<String>, records: [String: SettingsRecord] = [:]) {
        self.scopes = scopes
        self.records = records
    }

    func filter(_ isWanted: (String) -> Bool) -> StoreChanges {
        let wanted = scopes.filter(isWanted)
        if wanted.count == scopes.count { return self }
        return StoreChanges(wanted, records: records.filter { wanted.contains($0.key) })
    }

    package mutating func add(_ later: StoreChanges) {
        scopes.formUnion(later.scopes)
        for scope in later.scopes { records[scope] = later.records[scope] }
    }
}
