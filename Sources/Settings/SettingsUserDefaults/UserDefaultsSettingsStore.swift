import Dispatch
import Foundation
public import StoredSettings
import Synchronization

/// Settings in a domain of `UserDefaults`, for programs that have to keep them there.
///
/// Each setting has a real key, which is its name: existing keys are adopted, other code reads them, and what other
/// code sets there is in force a moment later. A value keeps the form that was found, such as JSON in `Data` for a
/// `Codable` value. A new key has the form of Foundation: dates are `Date`, data is `Data`; addresses and UUIDs are
/// texts. A second scope that stores a key of the same name has it as `scope/name`.
///
/// Beside the real keys, all settings are one JSON text under the key `StoredSettings.document`, so that a transaction
/// is stored whole or not at all, and null is kept. A copy of this text is in a second domain, with `.last` at the end
/// of its name; it is read when the first text is damaged or missing. Secrets are only in the JSON text, sealed;
/// without a sealer they are refused.
///
/// What `UserDefaults` cannot do: it flushes nothing to the disk, so that a power cut may take back what was acknowledged;
/// two processes that write at the same time may overwrite one another's change; and what another process wrote is read
/// when this one writes, or while the store has an observer. Where that matters take another store.
///
/// ```swift
/// let store = try UserDefaultsSettingsStore(suite: "org.example.lamp")
/// ```
public final class UserDefaultsSettingsStore: SettingsStore, TypedSettingsStore {
    private struct State {
        var document: StoreDocument?
        var text: String?
        /// The values of other code, which no scope owns.
        var outside: [String: JSONValue] = [:]
        /// The types of settings, by scope and name; a scope with models is there before anything of it is stored.
        var types: [String: [String: SettingType]] = [:]
    }

    // Makes read, change and write one step in the process: `UserDefaults` has no transactions.
    private static let turn = DispatchQueue(label: "settings.defaults")
    // Observers have another queue, since they may open a store, which waits for its turn.
    private static let deliveries = DispatchQueue(label: "settings.defaults.deliveries")

    private let domains: DefaultsDomains
    private let secrets: SecretBox
    private let state = Mutex(State())
    private let observers = StoreObservers()
    private let watchInterval: Duration

    /// Opens a domain, in which a store is made where there is none.
    ///
    /// Without a suite it is the standard domain of the program; without a sealer, secrets can neither be read nor written.
    /// While the store has an observer, it looks for changes of other code twice a second.
    ///
    /// - Throws: ``StoredSettings/SettingsError`` when what is stored is damaged, or was sealed with another key.
    public convenience init(suite: String? = nil, sealer: (any SecretSealer)? = nil) throws {
        try self.init(suite: suite, sealer: sealer, watchInterval: FileStoreOptions().watchInterval)
    }

    package init(suite: String?, sealer: (any SecretSealer)?, watchInterval: Duration) throws {
        let domains = DefaultsDomains(suite: suite)
        self.domains = domains
        secrets = SecretBox(sealer: sealer, path: domains.name)
        self.watchInterval = watchInterval
        try domains.refresh()
        let document = try Self.turn.sync {
            if try current(absorbing: true) == nil { try store(StoreDocument(epoch: .randomEpoch()), [:]) }
            return try existing(absorbing: true)
        }
        try secrets.check(document.key)
    }

    /// Reads what is stored at one moment.
    public func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        let document = try existing()
        return try body(DocumentReader(document: document, secrets: secrets, outside: state.withLock(\.outside)))
    }

    /// Runs `body` alone against every other writer of this process, and hands its changes to `UserDefaults`.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { waiter in
            Self.turn.async { [self] in
                let result = Swift.Result { try run(body) }
                Self.deliveries.async { [observers] in
                    observers.deliver()
                    waiter.resume(with: result)
                }
            }
        }
    }

    private func run<Result>(_ body: (inout SettingsTransaction) throws -> Result) throws -> Result {
        try domains.refresh()
        var document = try existing(absorbing: true)
        let (outside, types) = state.withLock { ($0.outside, $0.types) }
        let (result, writes) = try document.transact(body, secrets: secrets, outside: outside)
        guard !writes.isEmpty else { return result }
        let objects = try RealKeys.objects(for: writes, in: &document, over: domains.objects(), types: types)
        try store(document, objects, telling: StoreChanges(writes))
        return result
    }

    package func note(_ types: [String: SettingType], in scope: String) {
        state.withLock { $0.types[scope, default: [:]].merge(types) { $1 } }
    }

    /// Tells an observer what this process stores from now on, and what other code stored, soon after.
    public func add(_ observer: StoreObserver) {
        observers.add(observer, lookingEvery: watchInterval) { [weak self] in try self?.look() }
    }

    private func look() throws {
        try Self.turn.sync {
            try domains.refresh()
            _ = try existing(absorbing: true)
        }
    }

    private func existing(absorbing: Bool = false) throws -> StoreDocument {
        guard let document = try current(absorbing: absorbing) else {
            throw SettingsError(.unavailable, "the settings in \(domains.name) were removed while in use")
        }
        return document
    }

    /// The document in force, nil when there is none; absorbs changes of other code only on the queue.
    private func current(absorbing: Bool) throws -> StoreDocument? {
        var hasNews = false
        let document = try state.withLock { state -> StoreDocument? in
            let text = try domains.text()
            var changed: Set<String> = []
            if state.document == nil || text != state.text {
                guard let found = try domains.load() else { return nil }
                changed = state.document.map(found.differences) ?? []
                state.document = found
                state.text = text
                state.outside = RealKeys.outside(state.outside, found)
            }
            defer {
                if let document = state.document {
                    let reader = DocumentReader(document: document, secrets: secrets, outside: state.outside)
                    observers.enqueue(StoreChanges(of: changed, in: reader))
                }
                hasNews = !changed.isEmpty
            }
            guard absorbing, var document = state.document else { return state.document }
            let objects = try domains.objects()
            let absorbed = RealKeys.absorb(objects, into: &document, at: Date())
            let outside = RealKeys.outside(objects.compactMapValues(RealKeys.stored), document)
            if !absorbed.isEmpty {
                state.document = document
                state.text = try domains.save(document)
            }
            if outside != state.outside { changed.formUnion(Set(state.types.keys).union(document.scopes.keys)) }
            state.outside = outside
            changed.formUnion(absorbed)
            return document
        }
        // Not here: a reader must not wait for observers.
        if hasNews { Self.deliveries.async { [observers] in observers.deliver() } }
        return document
    }

    private func store(
        _ document: StoreDocument,
        _ objects: [String: Any?],
        telling changes: StoreChanges = StoreChanges()
    ) throws {
        try domains.set(objects)
        let text = try domains.save(document)
        state.withLock { state in
            state.document = document
            state.text = text
            observers.enqueue(changes)
        }
    }
}
