public import Observation
public import Synchronization

/// What a backing, its streams and its pump share: the values in memory, and the way to the store and back.
///
/// Reading and writing are compiled into the modules of the models, where the types are known.
@usableFromInline
final class SettingsCore: Observable, Sendable {
    @usableFromInline typealias ObservedKeyPath = any KeyPath<SettingsCore, Int> & Sendable

    static let loadErrorKeyPath = keyPath()
    static let saveErrorKeyPath = keyPath()
    static let endKeyPath = keyPath()
    private static let keyPaths = Atomic(0)

    let scope: String
    let prefix: String
    let schema: SettingsSchema
    let author: String
    let state: Mutex<State>
    /// The settings' declarations in the order of the schema, and the cells that each has here.
    @usableFromInline let declarations: [ObjectIdentifier]
    @usableFromInline let cells: [any AnyObject & Sendable]
    /// How many bodies of `withTransaction` run.
    @usableFromInline let transactions = Atomic(0)
    @usableFromInline let registrar = ObservationRegistrar()
    let feed: SettingsFeed?
    /// What else is done in the transaction of every batch, before its values are written.
    let beforeWriting = Mutex<[@Sendable (inout SettingsTransaction) -> Void]>([])

    init(scope: String, prefix: String, schema: SettingsSchema, feed: SettingsFeed?, author: String) {
        self.scope = scope
        self.prefix = prefix
        self.schema = schema
        self.author = author
        self.feed = feed
        let cells = schema.descriptors.enumerated().map { place, descriptor in descriptor.makeCell(prefix, place) }
        self.cells = cells
        declarations = cells.map(\.declaration)
        state = Mutex(State(cells, prefix: prefix, isStored: feed != nil))
    }

    /// What names a setting to the registrar, which wants a key path.
    static func keyPath() -> ObservedKeyPath {
        let number = keyPaths.add(1, ordering: .relaxed).newValue
        return \SettingsCore[observed: number]
    }

    private subscript(observed number: Int) -> Int { number }

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
    func searchedCell<Value>(_ key: SettingsKey<Value>) -> Cell<Value> { state.withLock { $0.cell(of: key) } }

    @inlinable
    func value<Value>(_ key: SettingsKey<Value>) -> Value {
        withCell(of: key) { cell in
            // Registered first: a change between the two would otherwise be told to nobody.
            Unmanaged.passUnretained(cell.keyPath)._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
            if transactions.load(ordering: .relaxed) > 0, let staged = stagedValue(key) { return staged }
            return cell.value
        }
    }

    @usableFromInline
    func stagedValue<Value>(_ key: SettingsKey<Value>) -> Value? { SettingsStage.current(for: self)?.value(key) }

    @inlinable
    func assign<Value>(_ value: Value, to key: SettingsKey<Value>) {
        if key.isLimited || transactions.load(ordering: .relaxed) > 0 { return assignWithCare(value, to: key) }
        withCell(of: key) { cell in
            _ = write(at: cell.place, observedAs: cell.keyPath) { cell.exchange(value) }
        }
    }

    @usableFromInline
    func assignWithCare<Value>(_ value: Value, to key: SettingsKey<Value>) {
        do {
            try assignOrThrow(value, to: key)
        } catch {
            let place = cell(key).place
            perform(state.withLock { $0.refuse(error, at: place) })
        }
    }

    /// Throws what is wrong with a value that is not taken.
    func assignOrThrow<Value>(_ value: Value, to key: SettingsKey<Value>) throws(SettingsError) {
        if let refusal = key.refusal(of: value) {
            // One in a transaction refuses all of it.
            if SettingsStage.current(for: self)?.refuse(refusal) == true { return }
            throw refusal
        }
        if SettingsStage.current(for: self)?.put(value, key) == true { return }
        let cell = cell(key)
        write(at: cell.place, observedAs: cell.keyPath) { cell.exchange(value) }
    }

    /// Lets `exchange` put a value in place, and does what follows.
    ///
    /// - Parameters:
    ///   - place: The setting's.
    ///   - keyPath: What observers know the setting by.
    ///   - revision: The one that the new value was made of, if it was made of one.
    ///   - exchange: Tells what it meant.
    /// - Returns: Whether the value is in place: no other came between.
    @usableFromInline
    @discardableResult
    func write(
        at place: Int,
        observedAs keyPath: ObservedKeyPath,
        after revision: Int? = nil,
        _ exchange: @Sendable () -> Exchange
    ) -> Bool {
        let (exchange, effects) = state.withLock { $0.assign(at: place, after: revision, exchange) }
        // The new value is in place: an observer that wakes on another thread must not read the old one.
        if exchange == .different { announce(keyPath) }
        if let effects { perform(effects) }
        return exchange != nil
    }

    func update<Value>(_ key: SettingsKey<Value>, _ change: (inout Value) -> Void) {
        let cell = cell(key)
        observe(cell.keyPath)
        while true {
            if let stage = SettingsStage.current(for: self), stage.update(key, change) { return }
            var (value, revision) = read(cell)
            change(&value)
            if let refusal = key.refusal(of: value) {
                return perform(state.withLock { $0.refuse(refusal, at: cell.place) })
            }
            let isNewest = write(at: cell.place, observedAs: cell.keyPath, after: revision) { [value] in
                cell.exchange(value)
            }
            if isNewest { return }
        }
    }

    /// The value of a setting, and how often one was put in place until then.
    func read<Value>(_ cell: Cell<Value>) -> (Value, revision: Int) {
        state.withLock { (cell.value, $0.slots[cell.place].revision.number) }
    }

    func assign(_ changes: [String: StoredValue?]) {
        _ = assign(changes.mapValues { Assignment(stored: $0) }, after: [:])
    }

    /// Takes assignments together; false if one was made of a value that is not the newest, and nothing was done.
    func assign(_ changes: [String: Assignment], after revisions: [Int: Int]) -> Bool {
        guard let effects = state.withLock({ $0.assign(changes, after: revisions) }) else { return false }
        perform(effects)
        return true
    }

    func reset<Value>(_ key: SettingsKey<Value>) {
        // Makes sure of the place of a key that the schema left out.
        let cell = cell(key)
        if SettingsStage.current(for: self)?.reset([key.name]) == true { return }
        perform(state.withLock { $0.reset([cell.place]) })
    }

    func resetAll() {
        let names = state.withLock { $0.slots.map(\.cell.name) }
        if SettingsStage.current(for: self)?.reset(names) == true { return }
        perform(state.withLock { $0.reset($0.slots.indices) })
    }

    func isSet<Value>(_ key: SettingsKey<Value>) -> Bool {
        let cell = cell(key)
        observe(cell.keyPath)
        if let isSet = SettingsStage.current(for: self)?.isSet(key.name) { return isSet }
        return state.withLock { $0.slots[cell.place].isPresent }
    }

    /// Takes what was read from the store, when so many records had been seen.
    func merge(_ record: SettingsRecord?, asOf sighting: Int? = nil) {
        perform(state.withLock { $0.merge(record, asOf: sighting) })
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

    /// Tells observers of a change that is in place.
    private func announce(_ keyPath: ObservedKeyPath) {
        registrar.withMutation(of: self, keyPath: keyPath) {}
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

    func perform(_ effects: Effects) {
        if !effects.keyPaths.isEmpty { DerivedReads.countChange() }
        for keyPath in effects.keyPaths { announce(keyPath) }
        for waiter in effects.waiters { waiter.resume() }
        for committer in effects.committed { committer.resume() }
        if let (committers, error) = effects.failed {
            for committer in committers { committer.resume(throwing: error) }
        }
        if effects.isDoubtful { feed?.check(scope) }
        // Holds the core until all is durable, also when the model is released before.
        if effects.startsPump { Task { await pump() } }
    }
}
