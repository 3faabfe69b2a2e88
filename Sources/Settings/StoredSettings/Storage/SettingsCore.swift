import Concurrency
public import Observation
public import Synchronization

/// The values of a model in memory, its ``ModelState`` under a lock, and the calls to the store.
///
/// Reading and writing are inlined into the modules of the models, where the types are known. Code of the values' types may
/// use the model, so it never runs under the lock.
@usableFromInline
// Protected by its mutexes, and `cells` by `hasCells`; all else is constant. Unchecked, since its superclass is.
final class SettingsCore: Observed, CustomReflectable, @unchecked Sendable {
    let scope: String
    let schema: SettingsSchema
    let follower: StoreFollower?
    @usableFromInline let state: Mutex<ModelState>
    @usableFromInline let declarations: [ObjectIdentifier]
    /// The cell of each setting of the schema: written once, before `hasCells` is, and read only after that.
    @usableFromInline @exclusivity(unchecked) private(set) var cells: [any AnyObject & Sendable] = []
    @usableFromInline let hasCells = Atomic(false)
    private let loading = Mutex(())
    let sync = Mutex(SyncSessions())

    init(scope: String, schema: SettingsSchema, follower: StoreFollower?) {
        self.scope = scope
        self.schema = schema
        self.follower = follower
        declarations = schema.declarations
        state = Mutex(ModelState(schema: schema, isStored: follower != nil))
    }

    deinit { follower?.forgetReleased(scope) }

    /// Nothing: its cells have the values of secrets, and the streams of a model hold it.
    @usableFromInline var customMirror: Mirror { Mirror(self, children: [], ancestorRepresentation: .suppressed) }

    /// Makes the cells of the schema; a model has none before its first use.
    @usableFromInline
    func makeCells() {
        while !hasCells.load(ordering: .acquiring) {
            add(areFirst: true) { _ in schema.descriptors.enumerated().map { $1.makeCell($0) } }
        }
    }

    /// Makes cells, decodes their stored values outside of the lock, and adds them, unless the model changed meanwhile.
    private func add(areFirst: Bool = false, _ make: (_ place: Int) -> [any AnyCell]) {
        let (record, sighting, place) = state.withLock { ($0.record, $0.sightings, $0.settings.endIndex) }
        let new = make(place)
        let values = new.map { $0.decode(FoundValue($0.name, $0.previousNames, in: record)) }
        let effects = state.withLock { state in
            let effects = state.add(values, asOf: sighting, areFirst: areFirst)
            if areFirst, effects != nil {
                cells = new
                hasCells.store(true, ordering: .releasing)
            }
            return effects
        }
        if let effects { perform(effects) }
    }

    /// The cell of a key, without reference counting: a core keeps its cells, and counting costs as much as reading.
    @inlinable
    @inline(__always)
    func withCell<Value, Result>(of key: SettingsKey<Value>, _ use: (Cell<Value>) -> Result) -> Result {
        let place = key.position.load(ordering: .relaxed)
        guard place >= 0, place < declarations.count, declarations[place] == ObjectIdentifier(key),
            hasCells.load(ordering: .acquiring)
        else { return use(searchedCell(key)) }
        // The cell was made by this key, so it has the type of the key.
        let cell = unsafeDowncast(cells[place], to: Cell<Value>.self)
        return Unmanaged.passUnretained(cell)._withUnsafeGuaranteedRef(use)
    }

    func cell<Value>(_ key: SettingsKey<Value>) -> Cell<Value> { withCell(of: key) { $0 } }

    @usableFromInline
    func searchedCell<Value>(_ key: SettingsKey<Value>) -> Cell<Value> {
        makeCells()
        while true {
            if let cell = state.withLock({ $0.cell(of: key) }) { return cell }
            // A key outside of the schema gets its cell when it is first used.
            add { [Cell(key, at: $0)] }
        }
    }

    @inlinable
    func value<Value>(_ key: SettingsKey<Value>) -> Value {
        withCell(of: key) { cell in
            // Register before reading, or the observer misses a change between the two. Several keys may share the cell.
            Unmanaged.passUnretained(cell.keyPath)._withUnsafeGuaranteedRef { registrar.access(self, keyPath: $0) }
            return state.withLock { _ in cell.value }
        }
    }

    @inlinable
    func assign<Value>(_ value: Value, to key: SettingsKey<Value>) {
        if key.isConstrained, isRejected(value, key) { return }
        withCell(of: key) { cell in _ = put(value, in: cell) }
    }

    /// Puts a value in a cell, unless another thread assigned since `revision`, and performs the effects.
    @inlinable
    @inline(__always)
    func put<Value>(_ value: Value, in cell: Cell<Value>, after revision: Int? = nil) -> Bool {
        // Protected by `write`, which calls the closures one after the other and returns after both.
        nonisolated(unsafe) var other = value
        return write(at: cell.place, observedAs: cell.keyPath, after: revision) {
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

    /// The part of ``put(_:in:after:)`` that needs no type: `exchange` puts the value in place.
    @usableFromInline
    func write(
        at place: Int,
        observedAs keyPath: ObservedKeyPath,
        after revision: Int?,
        _ exchange: @Sendable () -> Void,
        isDifferent: () -> Bool
    ) -> Bool {
        let (isInPlace, effects) = state.withLock { $0.assign(at: place, after: revision, exchange) }
        if let effects { perform(effects) }
        // Announce after the exchange: an observer on another thread must not read the old value.
        if isInPlace, isDifferent() { announce(keyPath) }
        return isInPlace
    }

    func update<Value>(_ key: SettingsKey<Value>, _ change: (inout Value) -> Void) {
        let cell = cell(key)
        observe(cell.keyPath)
        while true {
            var (value, revision) = state.withLock { (cell.value, $0.settings[cell.place].revision.number) }
            change(&value)
            if isRejected(value, key) { return }
            if put(value, in: cell, after: revision) { return }
        }
    }

    func reset(_ cells: [any AnyCell]) { assign(cells.map { ($0, nil) }) }

    func assign(_ changes: [(cell: any AnyCell, stored: JSONValue?)]) {
        let values = changes.map { $0.cell.decode(FoundValue(stored: $0.stored)) }
        perform(state.withLock { $0.assign(values) })
    }

    /// Streams and synchronisation end with the last storage of the model.
    func detach() {
        state.withLock { state in
            state.users -= 1
            if state.users == 0 { state.ends += 1 }
        }
        perform(ModelState.Effects(wakesReaders: true))
        let ended = sync.withLock { sync in state.withLock { $0.users == 0 } ? sync.end() : [] }
        for task in ended { task.cancel() }
    }

    /// Finds assigned values that no store can hold, before they go to the store.
    func checkAssigned() {
        let drafts = state.withLock { state in
            // What is in flight may not be encoded yet.
            state.pending.merging(state.inFlight) { $1 }.values.map { state.settings[$0] }.filter(\.isSet)
                .map { (cell: $0.cell, value: $0.cell.snapshot(), revision: $0.revision.number) }
        }
        for (cell, value, revision) in drafts {
            guard let fault = value().storageFault else { continue }
            let error = SettingsError.unstorable(cell.name, fault)
            let effects = state.withLock { state in
                let setting = state.settings[cell.place]
                // Observers that are told of a known error would read it here, and be told again without end.
                let isNew = setting.revision.number == revision && setting.error != error
                return isNew ? state.reject(error, at: cell.place) : ModelState.Effects()
            }
            perform(effects)
        }
    }

    func perform(_ effects: ModelState.Effects) {
        // The task keeps the core until all values are durable, even if the model is released before. It starts before
        // observers are told: one of them may end the program.
        if effects.startsPump { PendingPumps.start { await self.pump() } }
        for value in effects.restored where value.isDifferent() { announce(value.cell.keyPath) }
        for keyPath in effects.announced { announce(keyPath) }
        if effects.wakesReaders || !effects.announced.isEmpty { wakeReaders(announcements: effects.announced.count) }
        if effects.savesAgainLater { follower?.saveAgain(self) }
        for committer in effects.finished { committer.yield(effects.fault.map { .failure($0) } ?? .success(())) }
    }

    private func wakeReaders(announcements: Int) {
        let readers = state.withLock { state in
            state.announcements += announcements
            return state.readers.values.compactMap { $0.object }
        }
        for reader in readers { reader.signal() }
    }

    func receive(_ new: ScopeState) {
        switch new {
        case .stored(let record, let changed): carryOut(state.withLock { $0.see(record, changed: changed) })
        case .removed: carryOut(state.withLock { $0.see(nil) })
        case .unreadable(let fault):
            let isKnown = state.withLock { $0.storeLoadError != nil }
            perform(state.withLock { $0.failLoad(fault) })
            if !isKnown { follower?.retry(self) }
        }
    }

    /// Reads the scope, unless its record is known; retries a failure after a pause.
    func loadOnce(from store: any SettingsStore, retrying: Bool = true) {
        let effects = loading.withLock { _ -> ModelState.Effects? in
            guard !state.withLock(\.isLoaded) else { return nil }
            do { return inPlace(try store.record(scope)) } catch { return state.withLock { $0.failLoad(error) } }
        }
        // Without the lock: an observer may make another model of the scope.
        if let effects { perform(effects) }
        if retrying, !state.withLock(\.isLoaded) { follower?.retry(self) }
        // Move a value that is stored under an earlier name, even if it is never read. This decodes, so it holds no lock.
        let record = schema.previousNames.isEmpty ? nil : state.withLock(\.record)
        if schema.previousNames.contains(where: { record?.values[$0] != nil }) { makeCells() }
    }

    /// Uses a record that was read, unless a newer one arrived meanwhile.
    func load(_ record: SettingsRecord?) { if let effects = inPlace(record) { perform(effects) } }

    /// Puts the values of a record in place, unless a newer one arrived meanwhile.
    private func inPlace(_ record: SettingsRecord?) -> ModelState.Effects? {
        state.withLock { $0.isLoaded ? nil : $0.see(record) }.map(inPlace)
    }

    func carryOut(_ plan: MergePlan) { perform(inPlace(plan)) }

    private func inPlace(_ plan: MergePlan) -> ModelState.Effects {
        var plan = plan
        while true {
            let values = plan.decode()
            let effects = state.withLock { state in
                let effects = state.carryOut(plan, values)
                // A newer record came meanwhile, whose plan may be of other settings.
                if effects == nil { plan = state.renewed(plan) }
                return effects
            }
            if let effects { return effects }
        }
    }
}
