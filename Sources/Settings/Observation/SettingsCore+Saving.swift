extension SettingsCore.State {
    /// One who waits until what was assigned up to some moment is durable.
    struct Committer {
        let assigned: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// A value in force that the store does not take.
    struct HeldWrite {
        let value: StoredValue?
        /// The transaction that it belongs to.
        let group: Int?
        /// What the store has in its place: when it has another one, that is in force.
        var seen: StoredValue?

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
            for former in slot.cell.formerNames where batch.values[former] != nil {
                owners[former] = slot.cell.storedName
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

    /// The batch has been tried.
    mutating func settle(_ outcome: BatchOutcome) -> Effects {
        let batch = inFlight
        inFlight = Batch()
        putBack(outcome.unsaved, of: batch)
        var errors = Effects()
        let refused = refuse(outcome.refused, of: batch)
        for place in slots.indices {
            let name = slots[place].cell.storedName
            guard let value = batch.values[name], outcome.unsaved[name] == nil, !refused.contains(name) else {
                continue
            }
            // Ours, and not another's that would end the hold on what was assigned since.
            held[name]?.seen = value
            guard slots[place].storeRefusal != nil else { continue }
            slots[place].storeRefusal = nil
            errors.keyPaths.append(SettingsCore.saveErrorKeyPath)
        }
        if storeSaveError != nil || outcome.fault != nil || !refused.isEmpty {
            errors.keyPaths.append(SettingsCore.saveErrorKeyPath)
        }
        storeSaveError = outcome.fault
        // It may start the pump anew only when this one ends.
        var effects = takeResult(outcome, of: batch)
        if outcome.fault != nil { isPumping = false }
        effects.keyPaths += errors.keyPaths.suffix(1)
        effects.isDoubtful = effects.isDoubtful || isDoubtful
        isDoubtful = false
        release(outcome.fault, &effects)
        return effects
    }

    private mutating func takeResult(_ outcome: BatchOutcome, of batch: Batch) -> Effects {
        guard let durable = outcome.record else { return outcome.refused.isEmpty ? Effects() : take(record) }
        // Below what was known before: the store went back, and others may have written since.
        if durable.revision < batch.revision { isDoubtful = true }
        // The feed may have brought later news, whose values for the keys of this batch were left aside.
        guard let record, durable.revision >= batch.revision, record.revision > durable.revision else {
            return take(durable)
        }
        return take(record)
    }

    private mutating func release(_ fault: (any Error)?, _ effects: inout Effects) {
        if let fault {
            effects.failed = (committers.values.map(\.continuation), fault)
            committers = [:]
        }
        for (id, committer) in committers where committer.assigned <= handedIn {
            effects.committed.append(committer.continuation)
            committers[id] = nil
        }
    }

    /// What was not tried waits for the next attempt, under what was assigned since.
    private mutating func putBack(_ values: Batch.Values, of batch: Batch) {
        for (name, value) in values where pending[name] == nil {
            pending.updateValue(value, forKey: name)
            groups[name] = batch.groups[name]
        }
    }

    /// Keeps refused values in force, but for those that others determine; gives the names that were refused.
    private mutating func refuse(_ refusals: [BatchOutcome.Refusal], of batch: Batch) -> Set<String> {
        var names: Set<String> = []
        for (values, error) in refusals {
            for (name, value) in values {
                names.insert(name)
                guard pending[name] == nil, held[name] == nil else { continue }
                if let place = place(ofStored: name) { slots[place].storeRefusal = error }
                // Given by something above the store: what it gives stays in force.
                if error.code == .readOnly { continue }
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

    /// Registers one who waits for all that was assigned; false when nothing is on its way.
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
}
