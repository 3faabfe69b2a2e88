/// Keeps settings: records by scope, atomic transactions, and notices of changes.
///
/// Names of scopes and keys are compared as Swift compares texts: two spellings of one text in Unicode, such as `é` and `e`
/// with an accent, are one name. The store chooses which of the spellings comes back.
public protocol SettingsStore: AnyObject, Sendable {
    /// Reads what is stored at one moment: quickly, and with everything that a returned ``transact(_:)`` wrote.
    ///
    /// `body` must neither block nor call the store.
    ///
    /// - Throws: What `body` threw, or ``SettingsError``.
    func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result

    /// Runs `body` alone against every other writer, other processes included, and makes its changes durable.
    ///
    /// `body` must neither block nor call the store; if it throws, nothing of it is stored. Transactions that wait at the same
    /// time may be made durable together. Cancelling the task does not undo a transaction that was handed in.
    ///
    /// - Throws: What `body` threw, or ``SettingsError``.
    @discardableResult
    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result

    /// Tells an observer what is committed from now on, in the order of the commits.
    ///
    /// What this store's ``transact(_:)`` commits is told before it returns, what others commit soon after. A store that keeps
    /// a ``StoreObservers`` passes the observer on to it. The store does not keep the observer alive.
    func add(_ observer: StoreObserver)
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
}

/// A store that writes values in forms that depend on their types.
package protocol TypedSettingsStore: SettingsStore {
    /// Notes the types of settings by their stored names, before their values are written.
    func note(_ types: [String: SettingType], in scope: String)
}

/// How a store in a file is opened.
package struct FileStoreOptions: Sendable {
    /// How long to wait for another writer.
    package var busyTimeout: Duration = .seconds(5)
    /// How often to look for changes of other processes, while the store has an observer.
    package var watchInterval: Duration = .milliseconds(500)

    package init() {}
}
