extension SettingsCore {
    /// All that the lock of a core guards; every method leaves it consistent and says what to do outside the lock.
    struct State {
        typealias Effects = SettingsCore.Effects

        private(set) var slots: [String: AnySlot]
        var whole = ChangeChannel()
        /// The newest record seen in the store.
        private(set) var record: SettingsRecord?
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
        private(set) var loadError: (any Error)?
        private(set) var saveError: (any Error)?
        private(set) var isFinished = false
        /// How many bodies of `withTransaction` run.
        var transactions = 0

        /// One who waits until what was assigned up to some moment is durable.
        struct Committer {
            let assigned: Int
            let continuation: CheckedContinuation<Void, any Error>
        }

        init(_ schema: SettingsSchema) {
            slots = [:]
            for descriptor in schema.descriptors { slots[descriptor.name] = descriptor.makeSlot() }
        }

        /// The place of a key; one that the schema left out gets its place when it is first used.
        mutating func slot<Value>(_ key: SettingsKey<Value>) -> Slot<Value> {
            if let slot = slots[key.name] as? Slot<Value> { return slot }
            let slot = Slot(key)
            if let stored = record?.values[key.name] { _ = slot.restore(stored) }
            slots[key.name] = slot
            return slot
        }

        mutating func newID() -> Int {
            lastID += 1
            return lastID
        }
    }
}

extension SettingsCore.State {
    mutating func assign<Value>(_ value: Value, to key: SettingsKey<Value>) -> Effects {
        let slot = slot(key)
        guard slot.assign(value) else { return Effects() }
        submit(slot.stored, key.name)
        var effects = Effects()
        note(slot, in: &effects)
        conclude(&effects)
        return effects
    }

    /// Takes assignments together; nil goes back to the default and removes what is stored.
    mutating func assign(_ changes: [String: StoredValue?]) -> Effects {
        var effects = Effects()
        for (name, stored) in changes {
            guard let slot = slots[name] else { continue }
            let isChanged = slot.restore(stored).isChanged
            if isChanged { note(slot, in: &effects) }
            if isChanged || stored == nil { submit(stored, name) }
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
        var misfits: [String] = []
        for slot in slots.values where pending[slot.name] == nil && inFlight[slot.name] == nil {
            let (isChanged, fits) = slot.restore(newRecord?.values[slot.name])
            if isChanged { note(slot, in: &effects) }
            if !fits { misfits.append(slot.name) }
        }
        if misfits.isEmpty {
            setLoadError(nil, &effects)
        } else {
            let names = misfits.sorted().joined(separator: ", ")
            setLoadError(SettingsError(.wrongType, "what is stored does not fit: \(names)"), &effects)
        }
        conclude(&effects)
        return effects
    }

    mutating func failLoad(_ error: any Error) -> Effects {
        var effects = Effects()
        setLoadError(error, &effects)
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
        if saveError != nil {
            saveError = nil
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
        saveError = error
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
        effects.waiters = whole.takeAll() + slots.values.flatMap { $0.channel.takeAll() }
        return effects
    }

    private mutating func submit(_ stored: StoredValue?, _ name: String) {
        pending.updateValue(stored, forKey: name)
        assigned += 1
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

    private mutating func setLoadError(_ error: (any Error)?, _ effects: inout Effects) {
        guard error != nil || loadError != nil else { return }
        loadError = error
        effects.keyPaths.append(SettingsCore.loadErrorKeyPath)
    }
}
