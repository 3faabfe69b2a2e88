import Concurrency
import Platform
import Synchronization

extension SettingsCore {
    func commit() async throws {
        try await flush()
        if let error = state.withLock({ $0.errorToThrow() }) { throw error }
        // While the store cannot be read, the values in force may differ from the stored ones.
        guard let store = follower?.store, state.withLock({ $0.storeLoadError != nil }) else { return }
        loadOnce(from: store, retrying: false)
        if let error = state.withLock(\.storeLoadError) { throw error }
    }

    /// Waits until the store has accepted or refused all earlier assignments.
    func flush() async throws {
        try await awaitAnswer { answer in perform(state.withLock { $0.enlist(answer) }) }
    }

    /// Stores validated changes together, after all that was assigned before, and puts them in place.
    func apply(_ changes: [String: JSONValue?]) async throws {
        // A value that cannot be read is found by its cell, and must not be lost.
        makeCells()
        guard let store = follower?.store, !changes.isEmpty else {
            let cells = state.withLock { $0.cells(of: changes.keys) }
            return assign(cells.map { ($0, changes[$0.name] ?? nil) })
        }
        // If the store refuses earlier assignments, the next commit offers them again, unless this call replaces them.
        do { try await flush() } catch is CancellationError { throw CancellationError() } catch {}
        let replaced = try await write(changes, to: store)
        let (effects, plan) = state.withLock { ($0.release(replaced), $0.plan(for: changes.keys)) }
        perform(effects)
        carryOut(plan)
    }

    func saveAgain() { perform(state.withLock { $0.saveAgain() }) }

    /// Writes batch after batch, until nothing is left or the store fails.
    func pump() async {
        guard let store = follower?.store else { return }
        while let batch = state.withLock({ $0.nextBatch() }) {
            var values = batch.mapValues { $0() }
            var effects = ModelState.Effects()
            for name in state.withLock({ $0.noteEncoded(values, &effects) }) { values.removeValue(forKey: name) }
            perform(effects)
            let outcome = await save(values, to: store)
            let (plan, last) = state.withLock { $0.finish(values, outcome) }
            if !plan.items.isEmpty { carryOut(plan) }
            perform(last)
            if last.fault != nil { return }
        }
    }

    private func save(_ values: Batch, to store: any SettingsStore) async -> BatchOutcome {
        do {
            if !values.isEmpty { try await write(values, to: store) }
            return BatchOutcome()
        } catch let error as SettingsError where error.isAboutContent {
            return await saveOneByOne(values, to: store)
        } catch {
            return BatchOutcome(fault: error, unsaved: Set(values.keys))
        }
    }

    /// Writes the values one by one, so that a refused value does not block the others.
    private func saveOneByOne(_ values: Batch, to store: any SettingsStore) async -> BatchOutcome {
        var outcome = BatchOutcome(unsaved: Set(values.keys))
        do {
            // If the store refuses an empty transaction too, the values are not the reason.
            try await store.transact { _ in }
            for (name, value) in values {
                do {
                    try await write([name: value], to: store)
                } catch let error as SettingsError where error.isAboutContent {
                    outcome.refused[name] = error
                }
                outcome.unsaved.remove(name)
            }
        } catch {
            outcome.fault = error
        }
        return outcome
    }

    /// Writes values; returns the revisions that their settings had then, by ``ModelState/revisions(of:)``.
    @discardableResult
    private func write(_ values: Batch, to store: any SettingsStore) async throws -> [Int: Int] {
        // Read the stored values before the first write: it must keep those that cannot be read.
        if state.withLock({ $0.sightings == 0 }) {
            loadOnce(from: store, retrying: false)
            if let error = state.withLock({ $0.sightings == 0 ? $0.storeLoadError : nil }) { throw error }
        }
        let ledgers = sync.withLock { $0.engines.map(\.syncedScope) }
        let (cells, previousNames, unread) = state.withLock { state in
            let cells = state.cells(of: values.keys)
            let unread = cells.map { ($0.name, state.settings[$0.place].unread) }
            // Leave out previous names that another setting uses now.
            return (cells, cells.flatMap(\.previousNames).filter { state.place(of: $0) == nil }, unread)
        }
        // A store that writes types also needs those of settings outside the schema.
        follower?.typed?.note(Dictionary(cells.map { ($0.name, $0.type) }) { $1 }, in: scope)
        let keeper = UnreadValues(values: Dictionary(unread) { $1 }.compactMapValues(\.self), schema: schema)
        return try await store.transact { [self] transaction in
            // A name may be too long for a mark; its value is stored nevertheless.
            for syncedScope in ledgers { try? syncedScope.register(in: &transaction) }
            // Then remove the values under previous names, but not the unread values that were kept beside them.
            let values = try keeper.adding(to: values) { try transaction.record(scope)?.values ?? [:] }
                .merging(previousNames.map { ($0, nil) }) { $1 }
            _ = try transaction.update(scope, values, by: SettingsCore.author, at: .now)
            return state.withLock { $0.revisions(of: values.keys) }
        }
    }

    private static let author = "local"
}

extension SettingsError {
    /// Whether one value or key may be the reason, and not the store; system errors have an underlying code.
    fileprivate var isAboutContent: Bool {
        let codes: [Code] = [.noKey, .wrongKey, .unsupportedValue, .wrongType, .invalidValue, .invalidName]
        return underlyingCode == nil && codes.contains(code)
    }

    static func unstorable(_ name: String, _ fault: String) -> SettingsError {
        let message = "\(name) cannot be stored: it has \(fault); the stored value is still the one before"
        return SettingsError(.unsupportedValue, message)
    }
}
