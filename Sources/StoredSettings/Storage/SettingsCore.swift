public import Observation
public import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a storage, its streams and its pump share: the values in memory, the ``ModelState`` under its lock, and the calls
/// to the store.
///
/// Reading and writing are compiled into the modules of the models, where the types are known. Code of the values' own
/// types, which may use the model, never runs under the lock.
@usableFromInline
// Protected by its mutexes; every other property is constant. It is unchecked because its superclass is.
final class SettingsCore: Observed, @unchecked Sendable {
    let scope: String
    let prefix: String
    let schema: SettingsSchema
    let author: String
    let observer: SettingsObserver?
    @usableFromInline let state: Mutex<ModelState>
    /// The settings' declarations in the order of the schema, and the cell of each.
    @usableFromInline let declarations: [ObjectIdentifier]
    @usableFromInline let cells: [any AnyObject & Sendable]
    @usableFromInline let isStored: Bool
    /// The names that settings had in the store in earlier versions, by the stored name.
    private let previousNames: [String: [String]]
    /// What else is done in the transaction of every batch, before its values are written.
    let beforeWriting = Mutex<[@Sendable (inout SettingsTransaction) -> Void]>([])

    init(scope: String, prefix: String, schema: SettingsSchema, observer: SettingsObserver?, author: String) {
        self.scope = scope
        self.prefix = prefix
        self.schema = schema
        self.author = author
        self.observer = observer
        isStored = observer != nil
        let cells = schema.descriptors.enumerated().map { place, descriptor in descriptor.makeCell(prefix, place) }
        self.cells = cells
        declarations = schema.declarations
        // A previous name may be that of another setting by now.
        let renamed = cells.filter { !$0.previousNames.isEmpty }.map { cell in
            (cell.storedName, cell.previousNames.filter { name in !cells.contains { $0.storedName == name } })
        }
        previousNames = Dictionary(renamed) { first, _ in first }
        state = Mutex(ModelState(cells, prefix: prefix, schema: schema, isStored: observer != nil))
    }

    /// The cell of a key, without reference counting: a core keeps its cells, and counting costs more than reading.
    @inlinable
    @inline(__always)
    func withCell<Value, Result>(of key: SettingsKey<Value>, _ use: (Cell<Value>) -> Result) -> Result {
        let place = key.position.load(ordering: .relaxed)
        guard place >= 0, place < declarations.count, declarations[place] == ObjectIdentifier(key) else {
            return use(searchedCell(key))
        }
        // Made by this very key, it has its type.
        return Unmanaged.passUnretained(unsafeDowncast(cells[place], to: Cell<Value>.self))._withUnsafeGuaranteedRef(
            use
        )
    }

    func cell<Value>(_ key: SettingsKey<Value>) -> Cell<Value> { withCell(of: key) { $0 } }

    @usableFromInline
    func searchedCell<Value>(_ key: SettingsKey<Value>) -> Cell<Value> {
        let (cell, stored) = state.withLock { $0.cell(of: key) }
        if let stored {
            let decoded = cell.decode(stored)
            state.withLock { $0.restoreLate(cell.place, decoded) }
            if decoded.error != nil { announce(Observed.loadErrors) }
        }
        return cell
    }

    @inlinable
    func value<Value>(_ key: SettingsKey<Value>) -> Value {
        withCell(of: key) { cell in
            // Registered first: no observer would hear of a change between the two.
            Unmanaged.passUnretained(cell.keyPath)._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
            return state.withLock { _ in cell.value }
        }
    }

    @inlinable
    func assign<Value>(_ value: Value, to key: SettingsKey<Value>) {
        if key.isConstrained, isRejected(value, key) { return }
        withCell(of: key) { cell in
            _ = put(value, in: cell, stored: isStored ? key.stored(value) : nil)
        }
    }

    /// Puts a value in a cell, and performs the effects; without a store, `stored` is nil.
    ///
    /// - Returns: Whether the value is in place: no other thread assigned since `revision`.
    @inlinable
    @inline(__always)
    func put<Value>(_ value: Value, in cell: Cell<Value>, stored: SettingValue?, after revision: Int? = nil) -> Bool {
        // Protected by the order of the calls: `write` calls the closures one after the other, and returns after both.
        nonisolated(unsafe) var other = value
        return write(at: cell.place, observedAs: cell.keyPath, stored: stored, after: revision) {
            cell.exchange(&other)
        } isDifferent: {
            !cell.isEqual(other, value)
        }
    }

    @usableFromInline
    func isRejected<Value>(_ value: Value, _ key: SettingsKey<Value>) -> Bool {
        guard let refusal = key.refusal(of: value) else { return false }
        let place = cell(key).place
        perform(state.withLock { $0.reject(refusal, at: place) })
        return true
    }

    /// Does what ``put(_:in:stored:after:)`` says, whatever the type of the value: `exchange` puts it in place.
    @usableFromInline
    func write(
        at place: Int,
        observedAs keyPath: ObservedKeyPath,
        stored: SettingValue?,
        after revision: Int?,
        _ exchange: @Sendable () -> Void,
        isDifferent: () -> Bool
    ) -> Bool {
        let (isInPlace, effects) = state.withLock { $0.assign(stored, at: place, after: revision, exchange) }
        // The new value is in place: an observer that wakes on another thread must not read the old one.
        if isInPlace, isDifferent() { announce(keyPath) }
        if let effects { perform(effects) }
        return isInPlace
    }

    func update<Value>(_ key: SettingsKey<Value>, _ change: (inout Value) -> Void) {
        let cell = cell(key)
        observe(cell.keyPath)
        while true {
            var (value, revision) = state.withLock { (cell.value, $0.slots[cell.place].revision.number) }
            change(&value)
            if isRejected(value, key) { return }
            if put(value, in: cell, stored: isStored ? key.stored(value) : nil, after: revision) { return }
        }
    }

    func reset(_ cells: [any AnyCell]) { assign(cells.map { ($0, nil) }) }

    private func assign(_ changes: [(cell: any AnyCell, stored: SettingValue?)]) {
        let decoded = changes.map { (cell: $0.cell, stored: $0.stored, value: $0.cell.decode($0.stored)) }
        perform(state.withLock { $0.assign(decoded) })
    }

    func finish() {
        for waiter in state.withLock({ $0.finish() }) { waiter.finish() }
    }

    private func perform(_ effects: ModelState.Effects) {
        for (keyPath, value) in effects.restored where value.isDifferent() { announce(keyPath) }
        for keyPath in effects.announced { announce(keyPath) }
        for waiter in effects.woken { waiter.yield() }
        for committer in effects.finished { committer.yield(effects.fault.map { .failure($0) } ?? .success(())) }
        if effects.readsAgain { observer?.check(scope) }
        // The task keeps the core until all is durable, also when the model is released before.
        if effects.startsPump { Task { await pump() } }
    }
}

extension SettingsCore {
    /// Takes a record that was read from the store, when so many records had been seen.
    func merge(_ record: SettingsRecord?, asOf sighting: Int? = nil) {
        if let plan = state.withLock({ $0.plan(for: record, asOf: sighting) }) {
            carryOut(plan)
        } else {
            // Reading the record again tells which of the two is newer.
            observer?.check(scope)
        }
    }

    private func carryOut(_ plan: MergePlan) {
        let values = plan.items.map { item in
            var value = item.cell.decode(item.stored)
            value.error = item.damage ?? value.error
            return (value, moved: item.isMoved ? value.stored() : nil)
        }
        perform(state.withLock { $0.carryOut(plan, values) })
    }

    func failLoad(_ error: any Error) { perform(state.withLock { $0.failLoad(error) }) }

    func commit() async throws {
        try await settle()
        if let error = state.withLock({ $0.errorToThrow() }) { throw error }
    }

    /// Waits until the store has taken or refused all that was assigned before.
    private func settle() async throws {
        try await awaitAnswer { answer in perform(state.withLock { $0.enlist(answer) }) }
    }

    /// Stores validated changes together, after all that was assigned before, and puts them in place.
    func apply(_ changes: [String: SettingValue?]) async throws {
        guard let store = observer?.store, !changes.isEmpty else {
            let cells = state.withLock { state in
                changes.keys.compactMap { state.place(of: $0) }.map { state.slots[$0].cell }
            }
            return assign(cells.map { ($0, changes[$0.name] ?? nil) })
        }
        // The store may refuse earlier assignments. Those to settings named here are replaced below; the others are
        // stored with the next commit.
        do { try await settle() } catch is CancellationError { throw CancellationError() } catch {}
        let values = Dictionary(uniqueKeysWithValues: changes.map { (prefix + $0, $1) })
        let record = try await write(values, to: store)
        perform(state.withLock { $0.release(values.keys) })
        merge(record)
    }

    /// Hands batch after batch to the store, until nothing is left or the store has a fault.
    private func pump() async {
        guard let store = observer?.store else { return }
        while let batch = state.withLock({ $0.nextBatch() }) {
            let outcome = await save(batch, to: store)
            let (plan, effects) = state.withLock { $0.finishBatch(outcome) }
            if let plan { carryOut(plan) }
            perform(effects)
            if outcome.fault != nil { return }
        }
    }

    private func save(_ batch: Batch, to store: any SettingsStore) async -> Batch.Outcome {
        do {
            return Batch.Outcome(record: try await write(batch.values, to: store))
        } catch let error as SettingsError where error.isAboutContent {
            return await saveOneByOne(batch, to: store)
        } catch {
            return Batch.Outcome(fault: error, unsaved: batch.values)
        }
    }

    /// Stores what the store takes: a value that it refuses keeps no other from being stored.
    private func saveOneByOne(_ batch: Batch, to store: any SettingsStore) async -> Batch.Outcome {
        var outcome = Batch.Outcome(unsaved: batch.values)
        do {
            // A store that refuses even an empty transaction does not refuse our values.
            try await store.transact { _ in }
            for (name, value) in batch.values {
                do {
                    outcome.record = try await write([name: value], to: store)
                } catch let error as SettingsError where error.isAboutContent {
                    outcome.refused[name] = error
                }
                outcome.unsaved.removeValue(forKey: name)
            }
        } catch {
            outcome.fault = error
        }
        return outcome
    }

    private func write(_ values: Batch.Values, to store: any SettingsStore) async throws -> SettingsRecord {
        let steps = beforeWriting.withLock(\.self)
        var values = values
        for name in values.keys {
            for previous in previousNames[name] ?? [] { values.updateValue(nil, forKey: previous) }
        }
        return try await store.transact { [scope, author, values] transaction in
            for step in steps { step(&transaction) }
            return try transaction.update(scope, values, by: author, at: .now)
        }
    }
}

extension SettingsError {
    /// Whether the error may be due to one value or key, and not to the store; an error of the system has a code of its own.
    fileprivate var isAboutContent: Bool {
        let codes: [Code] = [.readOnly, .noKey, .wrongKey, .unsupportedValue, .wrongType, .invalidValue, .invalidName]
        return underlyingCode == nil && codes.contains(code)
    }
}
