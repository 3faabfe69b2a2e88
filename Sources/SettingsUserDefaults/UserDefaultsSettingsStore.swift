import Dispatch
public import Settings
import Synchronization

/// Settings in a domain of `UserDefaults`, for programs that have to keep them there.
///
/// All settings are one JSON text under the key `settings`, so that a transaction is stored whole or not at all, null is
/// kept, and no value is one that `UserDefaults` does not take: on Linux it stops the program at nil, and gives back no
/// `Int8`, `UInt64` or `URL`. A copy lies in a second domain with `.last` at the end of its name, and takes the place of the
/// first when that is damaged or missing; see ``recovery``. Secrets are sealed, or refused when there is no sealer.
///
/// What `UserDefaults` cannot do: it flushes nothing to the disk, so that a power cut may take back what was acknowledged;
/// two processes that write at the same time may overwrite one another's change; and what another process wrote is read
/// when this one writes, or while it listens to ``changes()``. Where that matters take another store.
///
/// ```swift
/// let store = try UserDefaultsSettingsStore(suite: "org.example.lamp")
/// ```
public final class UserDefaultsSettingsStore: SettingsStore {
    private struct State {
        var document: StoreDocument?
        var text: String?
        var recovery: SettingsError?
    }

    // Read, change and write are one step for the whole process: `UserDefaults` has no transactions.
    private static let turn = DispatchQueue(label: "settings.defaults")

    private let domains: DefaultsDomains
    private let secrets: SecretBox
    private let state = Mutex(State())
    private let waiting = WaitingJobs()
    private let broadcaster = SettingsChangeBroadcaster()
    private let ticker = LockedValue<Ticker?>(nil)
    private let watchInterval: Duration

    /// Opens a domain, in which a store is made where there is none.
    ///
    /// - Parameters:
    ///   - suite: The name of the domain; nil for the standard one of the program.
    ///   - sealer: Seals secrets; without one they can neither be read nor written.
    ///   - watchInterval: How often to ask whether somebody else changed something, while anybody listens.
    /// - Throws: ``Settings/SettingsError`` when what is stored is damaged, or was sealed with another key.
    public init(
        suite: String? = nil,
        sealer: (any SecretSealer)? = nil,
        watchInterval: Duration = .milliseconds(500)
    ) throws {
        let domains = DefaultsDomains(suite: suite)
        self.domains = domains
        self.watchInterval = watchInterval
        secrets = SecretBox(sealer: sealer, path: domains.name)
        try domains.refresh()
        let document = try Self.turn.sync {
            if let document = try current() { return document }
            let document = StoreDocument(epoch: .randomEpoch())
            try store(document)
            return document
        }
        try secrets.check(document.key)
    }

    deinit {
        ticker.value?.stop()
        broadcaster.finish()
    }

    /// Identifies the store: a random text made with it.
    public var epoch: String { get throws { try reader().epoch } }

    /// Why the last good copy was used in place of what is stored; nil when all was well.
    public var recovery: SettingsError? { state.withLock(\.recovery) }

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
    public func records(of scopes: Set<String>) async throws -> [String: SettingsRecord] {
        try reader().records(scopes)
    }

    /// Runs `body` alone against every other writer of this process, and hands its changes to `UserDefaults`.
    ///
    /// Transactions that wait at the same time are handed over together; each still stands or falls alone.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { waiter in
            let job = WriteJob(body, for: waiter)
            switch waiting.add(job) {
            case .waits: break
            case .waitsForDrain: Self.turn.async { [self] in while let jobs = waiting.next() { run(jobs) } }
            case .refused: job.fail(SettingsError(.closed, "\(domains.name) was closed"))
            }
        }
    }

    private func run(_ jobs: [WriteJob]) {
        do {
            try domains.refresh()
            let before = try existing()
            var document = before
            let group = DocumentGroup(jobs, on: &document, secrets: secrets)
            if document != before {
                document.change += 1
                try store(document)
            }
            broadcaster.send(group.changed)
            group.deliver()
        } catch {
            for job in jobs { job.fail(error) }
        }
    }

    /// The scopes that this process changes from now on, and those that another process changed, soon after.
    public func changes(where isWanted: @escaping @Sendable (String) -> Bool) -> AsyncStream<StoreChanges> {
        if ticker.value == nil {
            let new = Ticker(every: watchInterval, while: { true }) { [weak self] in self?.look() }
            ticker.value = new
            new.start()
        }
        return broadcaster.changes(where: isWanted)
    }

    private func look() {
        // An error here is met again, and reported, by whoever reads or writes next.
        Self.turn.sync {
            try? domains.refresh()
            _ = try? current()
        }
    }

    private func reader() throws -> DocumentReader {
        DocumentReader(document: try existing(), secrets: secrets)
    }

    private func existing() throws -> StoreDocument {
        guard let document = try current() else {
            throw SettingsError(.unavailable, "the settings in \(domains.name) were removed while in use")
        }
        return document
    }

    /// The document in force; nil when there is none.
    private func current() throws -> StoreDocument? {
        let (document, changed) = try state.withLock { state -> (StoreDocument?, Set<String>) in
            let text = try domains.text()
            if let document = state.document, text == state.text { return (document, []) }
            let found: StoreDocument
            switch try domains.load().decision {
            case .begin: return (nil, [])
            case .use(let document): found = document
            case .recover(let document, let reason):
                found = document
                state.recovery = SettingsError(
                    .corrupted,
                    "\(domains.name) was damaged: \(reason); the last good copy in \(domains.lastSuite) is used"
                )
            case .refuse(let fault): throw fault.error(domains.name)
            }
            let changed = state.document.map(found.differences) ?? []
            state.document = found
            state.text = text
            return (found, changed)
        }
        broadcaster.send(changed)
        return document
    }

    private func store(_ document: StoreDocument) throws {
        let text = try domains.save(document)
        state.withLock { state in
            state.document = document
            state.text = text
        }
    }
}
