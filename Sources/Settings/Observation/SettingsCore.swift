public import Observation
public import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a storage, its streams and its pump share: the values in memory, and the way to the store and back.
///
/// Reading and writing are compiled into the modules of the models, where the types are known. Code of the values' own
/// types, which may use the model, never runs under the lock, but for `==`.
@usableFromInline
// Protected by its mutexes: every other property is constant. Unchecked, since its superclass is.
final class SettingsCore: Observed, @unchecked Sendable {
    static let loadErrorKeyPath = keyPath()
    static let saveErrorKeyPath = keyPath()
    static let syncErrorKeyPath = keyPath()

    let scope: String
    let prefix: String
    let schema: SettingsSchema
    let author: String
    let state: Mutex<State>
    /// What the settings were called in the store in earlier versions, by what they are called now.
    private let previousNames: [String: [String]]
    /// The settings' declarations in the order of the schema, and the cells that each has here.
    @usableFromInline let declarations: [ObjectIdentifier]
    @usableFromInline let cells: [any AnyObject & Sendable]
    @usableFromInline let isStored: Bool
    let observer: SettingsObserver?
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
        // A previous name may meanwhile be that of another setting.
        let previous = cells.filter { !$0.previousNames.isEmpty }.map { cell in
            (cell.storedName, cell.previousNames.filter { name in !cells.contains { $0.storedName == name } })
        }
        previousNames = Dictionary(previous) { first, _ in first }
        state = Mutex(State(cells, prefix: prefix, schema: schema, isStored: observer != nil))
    }

    /// The cell of a key, not counted: a core keeps its cells, and counting would cost more than reading does.
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
            state.withLock { $0.restoreLate(cell.place, stored, decoded) }
        }
        return cell
    }

    @inlinable
    func value<Value>(_ key: SettingsKey<Value>) -> Value {
        withCell(of: key) { cell in
            // Registered first: a change between the two would otherwise be told to nobody.
            Unmanaged.passUnretained(cell.keyPath)._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
            return cell.value
        }
    }

    @inlinable
    func assign<Value>(_ value: Value, to key: SettingsKey<Value>) {
        if key.isConstrained, isRefused(value, key) { return }
        withCell(of: key) { cell in
            let stored = isStored ? key.stored(value) : nil
            _ = write(at: cell.place, observedAs: cell.keyPath, stored: stored) { cell.exchange(value) }
        }
    }

    @usableFromInline
    func isRefused<Value>(_ value: Value, _ key: SettingsKey<Value>) -> Bool {
        guard let refusal = key.refusal(of: value) else { return false }
        let place = cell(key).place
        perform(state.withLock { $0.refuse(refusal, at: place) })
        return true
    }

    /// Lets `exchange` put a value in place, and does what follows.
    ///
    /// - Parameters:
    ///   - place: The setting's.
    ///   - keyPath: What observers know the setting by.
    ///   - stored: The value as it is stored; nil without a store.
    ///   - revision: The one that the new value was made of, if it was made of one.
    ///   - exchange: Tells whether the value differs from the one before.
    /// - Returns: Whether the value is in place: no other came between.
    @usableFromInline
    @discardableResult
    func write(
        at place: Int,
        observedAs keyPath: ObservedKeyPath,
        stored: SettingValue?,
        after revision: Int? = nil,
        _ exchange: @Sendable () -> Bool
    ) -> Bool {
        let (isDifferent, effects) = state.withLock { $0.assign(stored, at: place, after: revision, exchange) }
        // The new value is in place: an observer that wakes on another thread must not read the old one.
        if isDifferent == true { announce(keyPath) }
        if let effects { perform(effects) }
        return isDifferent != nil
    }

    func update<Value>(_ key: SettingsKey<Value>, _ change: (inout Value) -> Void) {
        let cell = cell(key)
        observe(cell.keyPath)
        while true {
            var (value, revision) = state.withLock { (cell.value, $0.slots[cell.place].revision.number) }
            change(&value)
            if isRefused(value, key) { return }
            let stored = isStored ? key.stored(value) : nil
            let isNewest = write(at: cell.place, observedAs: cell.keyPath, stored: stored, after: revision) { [value] in
                cell.exchange(value)
            }
            if isNewest { return }
        }
    }

    /// Stores validated changes together, after all that was assigned before, and puts them in place.
    func apply(_ changes: [String: SettingValue?]) async throws {
        guard let store = observer?.store, !changes.isEmpty else { return assign(changes) }
        try? await commit()
        let values = Dictionary(uniqueKeysWithValues: changes.map { (prefix + $0, $1) })
        let record = try await write(values, to: store)
        perform(state.withLock { $0.release(values.keys) })
        merge(record)
    }

    func reset(_ cells: [any AnyCell]) {
        assign(cells.map { ($0, nil) })
    }

    private func assign(_ changes: [String: SettingValue?]) {
        let cells = state.withLock { state in changes.keys.compactMap { state.cell(named: $0) } }
        assign(cells.map { ($0, changes[$0.name] ?? nil) })
    }

    private func assign(_ changes: [(cell: any AnyCell, stored: SettingValue?)]) {
        let decoded = changes.map { (cell: $0.cell, stored: $0.stored, value: $0.cell.decode($0.stored)) }
        perform(state.withLock { $0.assign(decoded) })
    }

    /// Takes what was read from the store, when so many records had been seen.
    func merge(_ record: SettingsRecord?, asOf sighting: Int? = nil) {
        // Reading the record again tells which of the two is newer.
        if let plan = state.withLock({ $0.beginMerge(record, asOf: sighting) }) {
            carryOut(plan)
        } else {
            observer?.check(scope)
        }
    }

    /// Decodes what a plan asks for, outside the lock.
    private func carryOut(_ plan: MergePlan) {
        let values = plan.items.map { item in
            let value = item.cell.decode(item.stored)
            return (value, moved: item.isMoved ? value.stored() : nil)
        }
        perform(state.withLock { $0.carryOut(plan, values) })
    }

    func failLoad(_ error: any Error) {
        perform(state.withLock { $0.failLoad(error) })
    }

    func finish() {
        for waiter in state.withLock({ $0.finish() }) { waiter.finish() }
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
        if let refused = state.withLock({ $0.errorToThrow() }) { throw refused }
    }

    private func perform(_ effects: Effects) {
        for keyPath in effects.keyPaths { announce(keyPath) }
        for waiter in effects.waiters { waiter.yield() }
        for committer in effects.committed { committer.resume() }
        if let (committers, error) = effects.failed {
            for committer in committers { committer.resume(throwing: error) }
        }
        if effects.isDoubtful { observer?.check(scope) }
        // Holds the core until all is durable, also when the model is released before.
        if effects.startsPump { Task { await pump() } }
    }

    /// What a change of the state causes, done outside the lock.
    struct Effects {
        var waiters: [ChangeChannel.Waiter] = []
        var keyPaths: [ObservedKeyPath] = []
        var startsPump = false
        /// The scope was removed while our own write was on its way: which came last is to be looked up.
        var isDoubtful = false
        var committed: [CheckedContinuation<Void, any Error>] = []
        var failed: (committers: [CheckedContinuation<Void, any Error>], error: any Error)?
    }
}

extension SettingsCore {
    /// Hands batch after batch to the store, until nothing is left or the store has a fault.
    private func pump() async {
        guard let store = observer?.store else { return }
        while let batch = state.withLock({ $0.nextBatch() }) {
            let outcome = await save(batch, to: store)
            let (plan, effects) = state.withLock { $0.settle(outcome) }
            if let plan { carryOut(plan) }
            perform(effects)
            if outcome.fault != nil { return }
        }
    }

    private func save(_ batch: Batch, to store: any SettingsStore) async -> BatchOutcome {
        var outcome = BatchOutcome()
        do {
            outcome.record = try await write(batch.values, to: store)
        } catch let error as SettingsError where error.isAboutContent {
            await saveOneByOne(batch, to: store, &outcome)
        } catch {
            outcome.fault = error
            outcome.unsaved = batch.values
        }
        return outcome
    }

    /// A value that the store does not take keeps no other from being stored.
    private func saveOneByOne(_ batch: Batch, to store: any SettingsStore, _ outcome: inout BatchOutcome) async {
        do {
            // A store that does not even take nothing has nothing against our values.
            try await store.transact { _ in }
        } catch {
            outcome.fault = error
        }
        for (name, value) in batch.values {
            guard outcome.fault == nil else {
                outcome.unsaved.updateValue(value, forKey: name)
                continue
            }
            do {
                outcome.record = try await write([name: value], to: store)
            } catch let error as SettingsError where error.isAboutContent {
                outcome.refused[name] = error
            } catch {
                outcome.fault = error
                outcome.unsaved.updateValue(value, forKey: name)
            }
        }
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
    /// Whether the error may be due to one value or key, and not to the store; the system's own errors have a code of it.
    fileprivate var isAboutContent: Bool {
        let codes: [Code] = [.readOnly, .noKey, .wrongKey, .unsupportedValue, .wrongType, .invalidValue, .invalidName]
        return underlyingCode == nil && codes.contains(code)
    }
}
