/// What is handed to the store in one transaction.
struct Batch: Sendable {
    typealias Values = [String: SettingValue?]

    var values: Values = [:]
    /// The revision of the record that was known when the batch was handed in.
    var revision = 0
}

/// The result of storing a batch.
struct BatchOutcome: Sendable {
    /// As the last transaction left it; nil if none went through.
    var record: SettingsRecord?
    /// What the store does not take, for what it is.
    var refused: [String: SettingsError] = [:]
    /// Why the store could not go on.
    var fault: (any Error)?
    /// What the store did not store because of the fault.
    var unsaved: Batch.Values = [:]
}

extension SettingsCore.State {
    /// A caller of `commit()`, which waits until what was assigned up to some moment is durable.
    struct Committer {
        let assigned: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// A value in force that the store does not take.
    struct HeldWrite {
        let value: SettingValue?
        /// What the store has in its place: when it has another one, that is in force.
        var seen: SettingValue?

        /// Whether another attempt may go through.
        var isStorable: Bool { value?.storageFault == nil }
    }

    /// What is to be handed to the store next; nil ends the pump.
    mutating func nextBatch() -> Batch? {
        guard !pending.isEmpty else {
            isPumping = false
            return nil
        }
        inFlight = Batch(values: pending, revision: record?.revision ?? 0)
        pending = [:]
        handedIn = assigned
        return inFlight
    }

    /// What was not tried waits for the next attempt, under what was assigned since.
    mutating func putBack(_ values: Batch.Values) {
        for (name, value) in values where pending[name] == nil { pending.updateValue(value, forKey: name) }
    }

    /// Keeps refused values in force.
    mutating func refuse(_ refusals: [String: SettingsError], of batch: Batch) {
        for (name, error) in refusals where pending[name] == nil && held[name] == nil {
            if let place = place(ofStored: name) { slots[place].storeRefusal = error }
            mayHaveSaveErrors = true
            held[name] = HeldWrite(value: batch.values[name] ?? nil, seen: record?.values[name])
        }
    }

    /// Gives up the values in force of some names that the store did not take: others are stored.
    mutating func release(_ names: some Sequence<String>) -> Effects {
        var effects = Effects()
        for name in names {
            held[name] = nil
            if let place = place(ofStored: name) { clearSaveError(at: place, &effects) }
        }
        return effects
    }

    /// Hands values to the store again that it did not take.
    private mutating func retryHeld() {
        for (name, hold) in held where hold.isStorable {
            held[name] = nil
            pending.updateValue(hold.value, forKey: name)
            assigned += 1
        }
    }

    /// Registers a caller of `commit()`; false when nothing is on its way.
    mutating func enlist(_ committer: CheckedContinuation<Void, any Error>, id: Int) -> (Effects, isWaiting: Bool) {
        retryHeld()
        guard !pending.isEmpty || !inFlight.values.isEmpty else { return (Effects(), false) }
        committers[id] = Committer(assigned: assigned, continuation: committer)
        var effects = Effects()
        startPump(&effects)
        return (effects, true)
    }

    mutating func removeCommitter(_ id: Int) -> CheckedContinuation<Void, any Error>? {
        committers.removeValue(forKey: id)?.continuation
    }

    /// Why a commit fails although the store has taken its batch.
    ///
    /// A value in force that is not stored fails every commit. A value that was not taken fails one, because all that is
    /// in force is durable.
    mutating func errorToThrow() -> SettingsError? {
        guard mayHaveSaveErrors else { return nil }
        mayHaveSaveErrors = false
        var first: SettingsError?
        for place in slots.indices {
            guard let error = slots[place].saveError else { continue }
            mayHaveSaveErrors = true
            let isInForce = slots[place].storeRefusal != nil || held[slots[place].cell.storedName] != nil
            guard isInForce || !slots[place].isRefusalThrown else { continue }
            slots[place].isRefusalThrown = true
            first = first ?? error
        }
        return first
    }
}
