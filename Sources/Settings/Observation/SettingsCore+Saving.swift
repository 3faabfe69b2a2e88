/// What is handed to the store in one transaction.
struct Batch: Sendable {
    typealias Values = [String: SettingValue?]

    var values: Values = [:]
    /// The transactions by which values were assigned together with others.
    var groups: [String: Int] = [:]
    /// The revision of the record that was known when the batch was handed in.
    var revision = 0
}

/// The result of storing a batch.
struct BatchOutcome: Sendable {
    typealias Refusal = (values: Batch.Values, error: SettingsError)

    /// As the last transaction left it; nil if none went through.
    var record: SettingsRecord?
    /// What the store does not take, for what it is.
    var refused: [Refusal] = []
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
        /// The transaction that the value belongs to.
        let group: Int?
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
        inFlight = Batch(values: pending, groups: groups, revision: record?.revision ?? 0)
        pending = [:]
        groups = [:]
        handedIn = assigned
        return inFlight
    }

    /// The parts into which a batch can be taken apart: what was assigned together, or belongs to one setting, stays so.
    func parts(of batch: Batch) -> [Batch.Values] {
        var owners: [String: String] = [:]
        for slot in slots {
            for previous in slot.cell.previousNames where batch.values[previous] != nil {
                owners[previous] = slot.cell.storedName
            }
        }
        var together: [Int: Batch.Values] = [:]
        var alone: [String: Batch.Values] = [:]
        for (name, value) in batch.values {
            let owner = owners[name] ?? name
            if let group = batch.groups[owner] ?? batch.groups[name] {
                together[group, default: [:]].updateValue(value, forKey: name)
            } else {
                alone[owner, default: [:]].updateValue(value, forKey: name)
            }
        }
        return Array(together.values) + Array(alone.values)
    }

    /// What was not tried waits for the next attempt, under what was assigned since.
    mutating func putBack(_ values: Batch.Values, of batch: Batch) {
        for (name, value) in values where pending[name] == nil {
            pending.updateValue(value, forKey: name)
            groups[name] = batch.groups[name]
        }
    }

    /// Keeps refused values in force; gives the names that were refused.
    mutating func refuse(_ refusals: [BatchOutcome.Refusal], of batch: Batch) -> Set<String> {
        var names: Set<String> = []
        for (values, error) in refusals {
            for (name, value) in values {
                names.insert(name)
                guard pending[name] == nil, held[name] == nil else { continue }
                if let place = place(ofStored: name) { slots[place].storeRefusal = error }
                mayHaveSaveErrors = true
                held[name] = HeldWrite(value: value, group: batch.groups[name], seen: record?.values[name])
            }
        }
        return names
    }

    /// Hands values to the store again that it did not take.
    mutating func retryHeld(_ isMeant: (HeldWrite) -> Bool = \.isStorable) {
        for (name, hold) in held where isMeant(hold) {
            held[name] = nil
            pending.updateValue(hold.value, forKey: name)
            groups[name] = hold.group
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
