extension SettingsCore {
    /// All that the lock of a core guards; every method leaves it consistent and says what to do outside the lock.
    struct State {
        typealias Effects = SettingsCore.Effects

        var slots: [Slot]
        private var places: [String: Int] = [:]
        var whole = ChangeChannel()
        /// The newest record seen in the store.
        private(set) var record: SettingsRecord?
        private let prefix: String
        /// Without a store, nothing is ever pending.
        private let isStored: Bool
        /// Assigned and not yet handed to the store.
        private var pending: [String: StoredValue?] = [:]
        /// Handed to the store and not yet durable.
        private var inFlight: [String: StoredValue?] = [:]
        private var isPumping = false
        private var isDoubtful = false
        private var committers: [Int: Committer] = [:]
        /// How often something was assigned: now, when the batch in flight was taken.
        private var assigned = 0
        private var handedIn = 0
        private var lastID = 0
        private var storeLoadError: (any Error)?
        private var storeSaveError: (any Error)?
        private(set) var isFinished = false
        /// One who waits until what was assigned up to some moment is durable.
        struct Committer {
            let assigned: Int
            let continuation: CheckedContinuation<Void, any Error>
        }

        init(_ cells: [any AnyCell], prefix: String, isStored: Bool) {
            self.prefix = prefix
            self.isStored = isStored
            slots = cells.map(Slot.init)
            for cell in cells { places[cell.name] = cell.place }
        }

        /// The cell of a key; one that the schema left out gets its own when it is first used.
        mutating func cell<Value>(of key: SettingsKey<Value>) -> Cell<Value> {
            if let place = places[key.name], let cell = slots[place].cell as? Cell<Value> { return cell }
            let cell = Cell(key, prefix: prefix, at: slots.endIndex)
            var slot = Slot(cell)
            if let stored = record?.values[cell.storedName] { _ = slot.restore(stored) }
            places[key.name] = cell.place
            slots.append(slot)
            return cell
        }

        mutating func newID() -> Int {
            lastID += 1
            return lastID
        }

        /// The store's error, else that of the first setting that has one.
        var loadError: (any Error)? { storeLoadError ?? slots.lazy.compactMap(\.loadError).first }
        var saveError: (any Error)? { storeSaveError ?? slots.lazy.compactMap(\.saveError).first }
    }
}

extension SettingsCore.State {
    /// Lets `exchange` put a value in place; the observers of this setting are left to the caller.
    ///
    /// - Parameters:
    ///   - place: The setting's.
    ///   - exchange: Tells whether the value differs from the one before; nil when it left that in place.
    /// - Returns: What `exchange` told, and what is to be done outside the lock.
    mutating func assign(at place: Int, _ exchange: () -> Bool?) -> (isChanged: Bool?, Effects?) {
        guard let isChanged = exchange() else { return (nil, nil) }
        let wasPresent = slots[place].isPresent
        slots[place].isPresent = true
        var waiters: [ChangeChannel.Waiter] = []
        if isChanged {
            slots[place].channel.bump(&waiters)
            whole.bump(&waiters)
        }
        // Most assignments to a model in memory cause nothing more.
        guard isStored || slots[place].saveError != nil || !waiters.isEmpty else { return (isChanged, nil) }
        var effects = Effects()
        effects.waiters = waiters
        clearSaveError(at: place, &effects)
        // An equal value is stored when nothing is: what was set and what was never set are not the same.
        if isChanged || !wasPresent { submit(slots[place].cell.stored, at: place, &effects) }
        startPump(&effects)
        return (isChanged, effects)
    }

    /// A value that is not taken: the one before stays.
    mutating func refuse(_ error: SettingsError, at place: Int) -> Effects {
        var effects = Effects()
        slots[place].saveError = error
        effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
        return effects
    }

    /// Takes assignments together; nil goes back to the default and removes what is stored.
    mutating func assign(_ changes: [String: StoredValue?]) -> Effects {
        var effects = Effects()
        for (name, stored) in changes {
            guard let place = places[name] else { continue }
            let wasPresent = slots[place].isPresent
            let isChanged = slots[place].restore(stored)
            clearSaveError(at: place, &effects)
            if isChanged { note(place, in: &effects) }
            if isChanged || stored == nil || !wasPresent { submit(stored, at: place, &effects) }
        }
        conclude(&effects)
        return effects
    }

    /// Takes what the store holds, but for keys that have writes on their way to it.
    mutating func merge(_ newRecord: SettingsRecord?) -> Effects {
        if let newRecord, let record, newRecord.revision < record.revision { return Effects() }
        if newRecord == nil, !inFlight.isEmpty { isDoubtful = true }
        record = newRecord
        var effects = Effects()
        let before = loadError != nil
        storeLoadError = nil
        for place in slots.indices where !isOnItsWay(slots[place].cell.storedName) {
            let (stored, former) = stored(of: slots[place].cell, in: newRecord)
            if slots[place].restore(stored) { note(place, in: &effects) }
            if let former { move(stored, from: former, to: slots[place]) }
        }
        if before || loadError != nil { effects.keyPaths.append(SettingsCore.loadErrorKeyPath) }
        conclude(&effects)
        return effects
    }

    private func isOnItsWay(_ storedName: String) -> Bool { pending[storedName] != nil || inFlight[storedName] != nil }

    /// What a record holds for a setting, and the former name under which it was found.
    private func stored(of cell: any AnyCell, in record: SettingsRecord?) -> (StoredValue?, former: String?) {
        guard let values = record?.values else { return (nil, nil) }
        if let stored = values[cell.storedName] { return (stored, nil) }
        guard let former = cell.formerNames.first(where: { values[$0] != nil }) else { return (nil, nil) }
        return (values[former], former)
    }

    private mutating func move(_ stored: StoredValue?, from former: String, to slot: Slot) {
        // A value that does not fit stays where it is, for a version that knows better.
        guard isStored, slot.loadError == nil else { return }
        // Not as it was found: a setting may have become secret with its new name.
        pending.updateValue(stored == nil ? nil : slot.cell.stored, forKey: slot.cell.storedName)
        pending.updateValue(nil, forKey: former)
        assigned += 1
    }

    mutating func failLoad(_ error: any Error) -> Effects {
        var effects = Effects()
        storeLoadError = error
        effects.keyPaths.append(SettingsCore.loadErrorKeyPath)
        return effects
    }

    /// What is to be handed to the store next; nil ends the pump.
    mutating func nextBatch() -> [String: StoredValue?]? {
        guard !pending.isEmpty else {
            isPumping = false
            return nil
        }
        inFlight = pending
        pending = [:]
        handedIn = assigned
        return inFlight
    }

    /// The batch is durable, with this record.
    mutating func succeed(_ durable: SettingsRecord) -> Effects {
        inFlight = [:]
        // The feed may have brought later news, whose values for the keys of this batch were left aside.
        let newest = record.map { $0.revision > durable.revision ? $0 : durable } ?? durable
        var effects = merge(newest)
        if storeSaveError != nil {
            storeSaveError = nil
            effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
        }
        effects.isDoubtful = isDoubtful
        isDoubtful = false
        for (id, committer) in committers where committer.assigned <= handedIn {
            effects.committed.append(committer.continuation)
            committers[id] = nil
        }
        return effects
    }

    /// The batch could not be stored; it waits for the next attempt, under what was assigned since.
    mutating func fail(_ error: any Error) -> Effects {
        pending = inFlight.merging(pending) { $1 }
        inFlight = [:]
        isPumping = false
        isDoubtful = false
        storeSaveError = error
        var effects = Effects()
        effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
        effects.failed = (committers.values.map(\.continuation), error)
        committers = [:]
        return effects
    }

    /// Registers one who waits for all that was assigned; false when nothing is on its way.
    mutating func enlist(_ committer: CheckedContinuation<Void, any Error>, id: Int) -> (Effects, isWaiting: Bool) {
        guard !pending.isEmpty || !inFlight.isEmpty else { return (Effects(), false) }
        committers[id] = Committer(assigned: assigned, continuation: committer)
        var effects = Effects()
        startPump(&effects)
        return (effects, true)
    }

    mutating func removeCommitter(_ id: Int) -> CheckedContinuation<Void, any Error>? {
        committers.removeValue(forKey: id)?.continuation
    }

    mutating func finish() -> Effects {
        isFinished = true
        var effects = Effects()
        effects.waiters = whole.takeAll()
        for place in slots.indices { effects.waiters += slots[place].channel.takeAll() }
        return effects
    }

    /// Hands a value to the store, unless no store could give it back as it is.
    private mutating func submit(_ stored: StoredValue?, at place: Int, _ effects: inout Effects) {
        guard isStored else { return }
        let name = slots[place].cell.storedName
        if let fault = stored?.storageFault {
            slots[place].saveError = SettingsError(
                .unsupportedValue,
                "\(name) cannot be stored: it has \(fault); what is stored is still the value before"
            )
            effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
            return
        }
        pending.updateValue(stored, forKey: name)
        assigned += 1
    }

    private mutating func clearSaveError(at place: Int, _ effects: inout Effects) {
        guard slots[place].saveError != nil else { return }
        slots[place].saveError = nil
        effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
    }

    private mutating func note(_ place: Int, in effects: inout Effects) {
        slots[place].channel.bump(&effects.waiters)
        effects.keyPaths.append(slots[place].cell.keyPath)
        effects.isChanged = true
    }

    private mutating func conclude(_ effects: inout Effects) {
        if effects.isChanged { whole.bump(&effects.waiters) }
        startPump(&effects)
    }

    private mutating func startPump(_ effects: inout Effects) {
        guard !isPumping, !pending.isEmpty else { return }
        isPumping = true
        effects.startsPump = true
    }
}
