import Concurrency
public import StoredSettings
import Synchronization

/// Settings in etcd, which several machines share: what ``transact(_:)`` returned is known to a majority of the members.
///
/// Each scope is a key. All of them are mirrored in memory and kept current by a watch: reading never waits for the
/// network, and goes on when etcd is unreachable. Changes then throw ``SettingsError/Code/unavailable`` within seconds.
/// What another process stores can be read as soon as the watch has reported it, on one network within some milliseconds.
/// A commit compares all that its transactions have read; they run again when another process has changed it. Two stores of
/// one process are as two processes.
///
/// Secrets are sealed, so all who share the settings need the same key. One transaction changes up to 120 scopes.
public final class EtcdSettingsStore: SettingsStore {
    /// The most scopes that one transaction may change.
    ///
    /// etcd takes 128 steps, and a few are for the writer and the store's identity.
    package static let scopeLimit = 120

    /// How a store is opened.
    public struct Options: Sendable {
        /// What the keys of the store begin with; must end with `/`.
        public var prefix = "settings/"
        /// The name of this process, of letters, digits, `-` and `_`; helps people who look into etcd.
        public var writer = "writer"
        /// What must also hold for a commit, and nil while nothing may be committed: a member of a fleet needs its lease.
        package var fence: @Sendable () -> [EtcdCompare]? = { [] }

        /// Makes the default options: the prefix `settings/` and the writer `writer`.
        public init() {}
    }

    let keys: StoreKeys
    let secrets: SecretBox
    let writer: StoreWriter
    let waiting = WaitingJobs()
    let mirror: Mutex<MirroredStore>
    /// Wakes the commit that waits for the mirror; commits come one after the other.
    private let mirrored = Wakeup()
    private let client: EtcdClient
    private let observers = StoreObservers()
    private let watch = Mutex<Task<Void, Never>?>(nil)

    /// Opens a store, which is made where there is none, and reads all of it.
    ///
    /// Without a sealer, secrets can neither be read nor written.
    ///
    /// - Throws: ``SettingsError`` with ``SettingsError/Code/unavailable`` when etcd has no majority or cannot be reached,
    ///   ``SettingsError/Code/wrongKey`` when the secrets were sealed with another key,
    ///   ``SettingsError/Code/newerSchema`` or ``SettingsError/Code/foreignFile``.
    public static func open(
        _ client: EtcdClient,
        sealer: (any SecretSealer)? = nil,
        options: Options = Options()
    ) async throws -> EtcdSettingsStore {
        let path = "etcd \(client.configuration.endpoints.joined(separator: ",")) \(options.prefix)"
        let store = EtcdSettingsStore(client, SecretBox(sealer: sealer, path: path), options)
        do { try await store.start(keyIdentifier: sealer?.keyIdentifier) } catch { throw SettingsError.wrapping(error) }
        return store
    }

    private init(_ client: EtcdClient, _ secrets: SecretBox, _ options: Options) {
        self.client = client
        self.secrets = secrets
        keys = StoreKeys(prefix: options.prefix)
        let name = "\(options.writer)-\(String.randomEpoch())"
        writer = StoreWriter(client, keys: keys, name: name, fence: options.fence)
        mirror = Mutex(MirroredStore(keys))
    }

    deinit {
        watch.withLock { $0?.cancel() }
        Task { [writer] in await writer.close() }
    }

    private func start(keyIdentifier: String?) async throws {
        let watch = EtcdWatch(client, keys.watched)
        var page = try await watch.load()
        if !page.keys.contains(where: { $0.key == keys.meta }) {
            // Before any other commit, so that no process stores a value under another key.
            let meta = StoreMeta(epoch: .randomEpoch(), key: keyIdentifier)
            _ = try await client.transact([.createRevision(keys.meta, is: 0)], then: [.put(keys.meta, meta.json)])
            page = try await watch.load()
        }
        guard let meta = page.keys.first(where: { $0.key == keys.meta }).flatMap({ StoreMeta(json: $0.value) }) else {
            throw SettingsError(.foreignFile, "the keys below \(keys.prefix) in etcd are not a store of settings")
        }
        guard meta.format <= StoreMeta.format else {
            throw SettingsError(.newerSchema, "a later version of the program wrote the settings below \(keys.prefix)")
        }
        try secrets.check(meta.key)
        merge(.all(page.keys, revision: page.revision))
        let task = Task { [weak self, revision = page.revision] in
            await watch.run(after: revision) { self?.merge($0) }
        }
        self.watch.withLock { $0 = task }
    }

    /// Reads what is mirrored, as it is at one moment.
    public func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        // A copy shares its storage.
        let document = mirror.withLock(\.document)
        return try body(DocumentReader(document: document, secrets: secrets))
    }

    /// Runs `body` over what is current, and stores its changes with a majority of etcd's members.
    ///
    /// Transactions that wait at the same time share one etcd transaction, but each succeeds or fails alone. A body is
    /// run again when another process has changed what it read.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { add(WriteJob(body, for: $0)) }
    }

    /// Tells an observer what this process and others commit from now on.
    public func add(_ observer: StoreObserver) { observers.add(observer) }

    /// Merges keys into the mirror, tells the observers, and wakes the commit that waited for them.
    func merge(_ changes: EtcdChanges) {
        mirror.withLock { mirror in
            let changed = mirror.merge(changes)
            let reader = DocumentReader(document: mirror.document, secrets: secrets)
            observers.enqueue(StoreChanges(of: changed, in: reader))
        }
        observers.deliver()
        mirrored.signal()
    }

    /// Waits until everything up to a revision is mirrored, for a limited time.
    func catchUp(to revision: Int) async {
        let deadline = ContinuousClock.now + client.configuration.timeout
        while mirror.withLock(\.revision) < revision {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else {
                // A watch that is silent for so long may have been cut.
                try? await reload()
                return
            }
            await mirrored.wait(seconds: rest / .seconds(1))
        }
    }

    func reload() async throws {
        let before = mirror.withLock(\.revision)
        let page = try await EtcdWatch(client, keys.watched).load()
        // Ignore a page that the watch has overtaken, unless its revision went back: then the cluster was restored.
        let isOvertaken = page.revision >= before && page.revision < mirror.withLock(\.revision)
        if !isOvertaken { merge(.all(page.keys, revision: page.revision)) }
    }
}
