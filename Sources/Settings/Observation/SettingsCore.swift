import Observation
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a backing, its streams and its pump share: the values in memory, and the way to the store and back.
final class SettingsCore: Observable, Sendable {
    typealias ObservedKeyPath = any KeyPath<SettingsCore, Int> & Sendable

    static let loadErrorKeyPath: ObservedKeyPath = \SettingsCore[observed: ":loadError"]
    static let saveErrorKeyPath: ObservedKeyPath = \SettingsCore[observed: ":saveError"]

    let scope: String
    let prefix: String
    let schema: SettingsSchema
    let author: String
    let state: Mutex<State>
    let feed: SettingsFeed?
    /// What else is done in the transaction of every batch, before its values are written.
    let beforeWriting = Mutex<[@Sendable (inout SettingsTransaction) -> Void]>([])
    private let registrar = ObservationRegistrar()

    init(scope: String, prefix: String, schema: SettingsSchema, feed: SettingsFeed?, author: String) {
        self.scope = scope
        self.prefix = prefix
        self.schema = schema
        self.author = author
        self.feed = feed
        state = Mutex(State(schema, prefix: prefix, isStored: feed != nil))
    }

    /// Names a setting to the registrar, which only wants a key path.
    subscript(observed name: String) -> Int { 0 }

    func value<Value>(_ key: SettingsKey<Value>) -> Value {
        // Registered first: a change between the two would otherwise be told to nobody.
        registrar.access(self, keyPath: key.keyPath)
        let (value, inTransaction) = state.withLock { state in (state.slot(key).value, state.transactions > 0) }
        if inTransaction, let staged = SettingsStage.current(for: self)?.value(key) { return staged }
        return value
    }

    func assign<Value>(_ value: Value, to key: SettingsKey<Value>) {
        do {
            try assignOrThrow(value, to: key)
        } catch {
            perform(state.withLock { $0.refuse($0.slot(key), error) })
        }
    }

    /// Throws what is wrong with a value that is not taken.
    func assignOrThrow<Value>(_ value: Value, to key: SettingsKey<Value>) throws(SettingsError) {
        if let refusal = key.refusal(of: value) {
            // One in a transaction refuses all of it.
            if SettingsStage.current(for: self)?.refuse(refusal) == true { return }
            throw refusal
        }
        let effects = state.withLock { $0.transactions > 0 ? nil : $0.assign(value, to: key) }
        if let effects { return perform(effects) }
        if SettingsStage.current(for: self)?.put(key.stored(value), key.name) == true { return }
        perform(state.withLock { $0.assign(value, to: key) })
    }

    func update<Value>(_ key: SettingsKey<Value>, _ change: (inout Value) -> Void) {
        while true {
            let old = value(key)
            var new = old
            change(&new)
            // What is refused, or staged where nobody comes between, needs no second look.
            if key.refusal(of: new) != nil || SettingsStage.current(for: self) != nil { return assign(new, to: key) }
            let effects = state.withLock { $0.slot(key).value == old ? $0.assign(new, to: key) : nil }
            if let effects { return perform(effects) }
        }
    }

    func assign(_ changes: [String: StoredValue?]) {
        perform(state.withLock { $0.assign(changes) })
    }

    func reset(_ names: [String]) {
        let stage = SettingsStage.current(for: self)
        if let stage, names.allSatisfy({ stage.put(nil, $0) }) { return }
        assign(Dictionary(uniqueKeysWithValues: names.map { ($0, nil) }))
    }

    func merge(_ record: SettingsRecord?) {
        perform(state.withLock { $0.merge(record) })
    }

    func failLoad(_ error: any Error) {
        perform(state.withLock { $0.failLoad(error) })
    }

    func finish() {
        perform(state.withLock { $0.finish() })
    }

    func observe(_ keyPath: ObservedKeyPath) {
        registrar.access(self, keyPath: keyPath)
    }

    /// Waits until all that was assigned before is durable.
    func commit() async throws {
        let id = state.withLock { $0.newID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (effects, isWaiting) = state.withLock { state in
                    // The handler may have run already, and then it found nobody to wake.
                    Task.isCancelled ? (Effects(), false) : state.enlist(continuation, id: id)
                }
                if !isWaiting { continuation.resume(with: Result { try Task.checkCancellation() }) }
                perform(effects)
            }
        } onCancel: {
            state.withLock { $0.removeCommitter(id) }?.resume(throwing: CancellationError())
        }
        if let refused = state.withLock({ $0.slots.lazy.compactMap(\.saveError).first }) { throw refused }
    }

    private func perform(_ effects: Effects) {
        // The new values are in place: an observer that wakes on another thread must not read the old ones.
        for keyPath in effects.keyPaths { registrar.withMutation(of: self, keyPath: keyPath) {} }
        for waiter in effects.waiters { waiter.resume() }
        for committer in effects.committed { committer.resume() }
        if let (committers, error) = effects.failed {
            for committer in committers { committer.resume(throwing: error) }
        }
        if effects.isDoubtful { feed?.check(scope) }
        // Holds the core until all is durable, also when the model is released before.
        if effects.startsPump { Task { await pump() } }
    }

    private func pump() async {
        guard let store = feed?.store else { return }
        while let batch = state.withLock({ $0.nextBatch() }) {
            do {
                let steps = beforeWriting.withLock(\.self)
                let record = try await store.transact { [scope, author] transaction in
                    for step in steps { step(&transaction) }
                    return try transaction.update(scope, batch, by: author, at: Date())
                }
                perform(state.withLock { $0.succeed(record) })
            } catch {
                perform(state.withLock { $0.fail(error) })
                return
            }
        }
    }
}
