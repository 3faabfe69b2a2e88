extension SettingsCore {
    /// All that the lock of a core guards; every method leaves it consistent and says what to do outside the lock.
    struct State {
        typealias Effects = SettingsCore.Effects

        private(set) var slots: [AnySlot]
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
        /// How many bodies of `withTransaction` run.
        var transactions = 0

        /// One who waits until what was assigned up to some moment is durable.
        struct Committer {
            let assigned: Int
            let continuation: CheckedContinuation<Void, any Error>
        }

        init(_ schema: SettingsSchema, prefix: String, isStored: Bool) {
            self.prefix = prefix
            self.isStored = isStored
            slots = schema.descriptors.map { $0.makeSlot(prefix) }
            for (place, slot) in slots.enumerated() { places[slot.name] = place }
        }

        /// The place of a key; one that the schema left out gets its place when it is first used.
        mutating func slot<Value>(_ key: SettingsKey<Value>) -> Slot<Value> {
            let identity = ObjectIdentifier(key)
            if slots.indices.contains(key.position), slots[key.position].identity == identity {
                // The slot was made by this very key, whose type is that of the slot.
                return unsafeDowncast(slots[key.position], to: Slot<Value>.self)
            }
            if let place = places[key.name], let slot = slots[place] as? Slot<Value> { return slot }
            let slot = Slot(key, prefix: prefix)
            if let stored = record?.values[slot.storedName] { _ = slot.restore(stored) }
            places[key.name] = slots.endIndex
            slots.append(slot)
            return slot
        }

        func slot(named name: String) -> AnySlot? { places[name].map { slots[$0] } }

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
    mutating func assign<Value>(_ value: Value, to key: SettingsKey<Value>) -> Effects {
        let slot = slot(key)
        var effects = Effects()
        let isChanged = slot.assign(value)
        clearSaveError(of: slot, &effects)
        // An equal value is stored when nothing is: what was set and what was never set are not the same.
        if isStored, isChanged || !slot.isPresent { submit(slot.stored, for: slot, &effects) }
        slot.isPresent = true
        if isChanged { note(slot, in: &effects) }
        conclude(&effects)
        return effects
    }

    /// A value that is not taken: the one before stays.
    mutating func refuse(_ slot: AnySlot, _ error: SettingsError) -> Effects {
        var effects = Effects()
        slot.saveError = error
        effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
        return effects
    }

    /// Takes assignments together; nil goes back to the default and removes what is stored.
    mutating func assign(_ changes: [String: StoredValue?]) -> Effects {
        var effects = Effects()
        for (name, stored) in changes {
            guard let slot = slot(named: name) else { continue }
            let wasPresent = slot.isPresent
            let isChanged = slot.restore(stored)
            clearSaveError(of: slot, &effects)
            if isChanged { note(slot, in: &effects) }
            if isChanged || stored == nil || !wasPresent { submit(stored, for: slot, &effects) }
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
        for slot in slots where pending[slot.storedName] == nil && inFlight[slot.storedName] == nil {
            let (stored, former) = stored(of: slot, in: newRecord)
            if slot.restore(stored) { note(slot, in: &effects) }
            if let former { move(stored, from: former, to: slot) }
        }
        if before || loadError != nil { effects.keyPaths.append(SettingsCore.loadErrorKeyPath) }
        conclude(&effects)
        return effects
    }

    /// What a record holds for a slot, and the former name under which it was found.
    private func stored(of slot: AnySlot, in record: SettingsRecord?) -> (StoredValue?, former: String?) {
        guard let values = record?.values else { return (nil, nil) }
        if let stored = values[slot.storedName] { return (stored, nil) }
        guard let former = slot.formerNames.first(where: { values[$0] != nil }) else { return (nil, nil) }
        return (values[former], former)
    }

    private mutating func move(_ stored: StoredValue?, from former: String, to slot: AnySlot) {
        // A value that does not fit stays where it is, for a version that knows better.
        guard isStored, slot.loadError == nil else { return }
        pending.updateValue(stored, forKey: slot.storedName)
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
        effects.waiters = whole.takeAll() + slots.flatMap { $0.channel.takeAll() }
        return effects
    }

    /// Hands a value to the store, unless no store could give it back as it is.
    private mutating func submit(_ stored: StoredValue?, for slot: AnySlot, _ effects: inout Effects) {
        guard isStored else { return }
        if let fault = stored?.storageFault {
            slot.saveError = SettingsError(
                .unsupportedValue,
                "\(slot.storedName) cannot be stored: it has \(fault); what is stored is still the value before"
            )
            effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
            return
        }
        pending.updateValue(stored, forKey: slot.storedName)
        assigned += 1
    }

    private func clearSaveError(of slot: AnySlot, _ effects: inout Effects) {
        guard slot.saveError != nil else { return }
        slot.saveError = nil
        effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
    }

    private mutating func note(_ slot: AnySlot, in effects: inout Effects) {
        effects.waiters += slot.channel.bump()
        effects.keyPaths.append(slot.keyPath)
        effects.isChanged = true
    }

    private mutating func conclude(_ effects: inout Effects) {
        if effects.isChanged { effects.waiters += whole.bump() }
        startPump(&effects)
    }

    private mutating func startPump(_ effects: inout Effects) {
        guard !isPumping, !pending.isEmpty else { return }
        isPumping = true
        effects.startsPump = true
    }
}
