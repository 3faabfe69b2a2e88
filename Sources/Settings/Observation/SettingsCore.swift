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
    let author: String
    let store: any SettingsStore
    let state: Mutex<State>
    private let feed: SettingsFeed
    private let registrar = ObservationRegistrar()

    init(scope: String, schema: SettingsSchema, feed: SettingsFeed, author: String) {
        self.scope = scope
        self.author = author
        self.feed = feed
        store = feed.store
        state = Mutex(State(schema))
    }

    /// Names a setting to the registrar, which only wants a key path.
    subscript(observed name: String) -> Int { 0 }

    func value<Value>(_ key: SettingsKey<Value>) -> Value {
        let (value, keyPath, inTransaction) = state.withLock { state in
            let slot = state.slot(key)
            return (slot.value, slot.keyPath, state.transactions > 0)
        }
        registrar.access(self, keyPath: keyPath)
        if inTransaction, let staged = SettingsStage.current(for: self)?.value(key) { return staged }
        return value
    }

    func assign<Value>(_ value: Value, to key: SettingsKey<Value>) {
        let (effects, stage) = state.withLock { state -> (Effects, Bool) in
            if state.transactions > 0 { return (Effects(), true) }
            return (state.assign(value, to: key), false)
        }
        if stage {
            if SettingsStage.current(for: self)?.put(key.stored(value), key.name) == true { return }
            perform(state.withLock { $0.assign(value, to: key) })
        } else {
            perform(effects)
        }
    }

    func assign(_ changes: [String: StoredValue?]) {
        perform(state.withLock { $0.assign(changes) })
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
    }

    private func perform(_ effects: Effects) {
        // The new values are in place: an observer that wakes on another thread must not read the old ones.
        for keyPath in effects.keyPaths { registrar.withMutation(of: self, keyPath: keyPath) {} }
        for waiter in effects.waiters { waiter.resume() }
        for committer in effects.committed { committer.resume() }
        if let (committers, error) = effects.failed {
            for committer in committers { committer.resume(throwing: error) }
        }
        if effects.isDoubtful { feed.check(scope) }
        // Holds the core until all is durable, also when the model is released before.
        if effects.startsPump { Task { await pump() } }
    }

    private func pump() async {
        while let batch = state.withLock({ $0.nextBatch() }) {
            do {
                let record = try await store.transact { [scope, author] transaction in
                    try transaction.update(scope, batch, by: author, at: Date())
                }
                perform(state.withLock { $0.succeed(record) })
            } catch {
                perform(state.withLock { $0.fail(error) })
                return
            }
        }
    }
}
