public import StoredSettings
import Synchronization

/// Settings in etcd, which several machines share: what ``transact(_:)`` returned is known to a majority of the members.
///
/// Each scope is a key. All of them are mirrored in memory and kept current by a watch: reading never waits for the
/// network, and goes on when etcd is unreachable. Changes then throw ``SettingsError/Code/unavailable`` within seconds.
/// Stores of one process over the same keys share the mirror, so that one reads at once what another has stored; what another
/// process stores can be read as soon as the watch has told it, on one network within some milliseconds. Transactions are
/// always run over what is current: what they read is compared when they are committed, and they are run again when it
/// has changed meanwhile.
///
/// Secrets are sealed, so all who share the settings need the same key. One transaction changes up to 120 scopes.
public final class EtcdSettingsStore: SettingsStore {
    /// How a store is opened.
    public struct Options: Sendable {
        /// What the keys of the store begin with; must end with `/`.
        public var prefix = "settings/"
        /// The name of this process, of letters, digits, `-` and `_`; helps people who look into etcd.
        public var writer = "writer"
        /// What must also hold for a commit, and nil while nothing may be committed: a member of a fleet needs its lease.
        package var fence: @Sendable () -> [EtcdCompare]? = { [] }
        /// Whether this store shares the mirror of others in this process, unless those have a fence.
        public var isShared = true
        /// The name of the key that seals secrets.
        var keyIdentifier: String?

        /// The keys below `settings/`.
        public init() {}
    }

    private let core: StoreCore

    /// Opens a store, which is made where there is none, and reads all of it.
    ///
    /// - Parameters:
    ///   - client: The cluster.
    ///   - sealer: Seals secrets; without one they can neither be read nor written.
    ///   - options: How it is opened.
    /// - Returns: The store.
    /// - Throws: ``SettingsError`` with ``SettingsError/Code/unavailable`` when etcd has no majority or cannot be reached,
    ///   ``SettingsError/Code/wrongKey`` when the secrets were sealed with another key,
    ///   ``SettingsError/Code/newerSchema`` or ``SettingsError/Code/foreignFile``.
    public static func open(
        _ client: EtcdClient,
        sealer: (any SecretSealer)? = nil,
        options: Options = Options()
    ) async throws -> EtcdSettingsStore {
        var options = options
        options.keyIdentifier = sealer?.keyIdentifier
        let path = "etcd \(client.configuration.endpoints.joined(separator: ",")) \(options.prefix)"
        let secrets = SecretBox(sealer: sealer, path: path)
        let name = "\(path) \(sealer?.keyIdentifier ?? "")"
        do {
            if options.isShared, let core = shared.withLock({ $0[name]?.object }) { return EtcdSettingsStore(core) }
            let keys = StoreKeys(prefix: options.prefix)
            let core = try await StoreCore.open(client, keys: keys, secrets: secrets, options: options)
            if options.isShared { shared.withLock { $0[name] = Weak(object: core) } }
            return EtcdSettingsStore(core)
        } catch {
            throw SettingsError.wrapping(error)
        }
    }

    private static let shared = Mutex<[String: Weak<StoreCore>]>([:])

    private init(_ core: StoreCore) { self.core = core }

    /// Reads what is mirrored, as it is at one moment.
    public func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        try core.read(body)
    }

    /// Runs `body` over what is current, and stores its changes with a majority of etcd's members.
    ///
    /// Transactions that wait at the same time share one of etcd's; each still stands or falls alone. A body is run again
    /// when another process has changed what it read.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { core.add(WriteJob(body, for: $0)) }
    }

    /// Tells an observer what this process and others commit from now on.
    public func add(_ observer: StoreObserver) { core.observers.add(observer) }
}
