struct Batch: Sendable {
    typealias Values = [String: SettingValue?]

    var values: Values = [:]
    /// The revision of the newest record known when the batch was taken.
    var revision = 0

    struct Outcome: Sendable {
        /// The record as the last transaction left it; nil if none went through.
        var record: SettingsRecord?
        /// The values that the store does not take, and why.
        var refused: [String: SettingsError] = [:]
        /// Why the store could not go on, and what it did not store for that reason.
        var fault: (any Error)?
        var unsaved: Values = [:]
    }
}

extension ModelState {
    /// A value in force that the store does not take.
    struct HeldWrite {
        let value: SettingValue?
        /// What the store has instead: if that changes, it comes in force.
        var seen: SettingValue?
    }

    /// Hands a value to the store, unless no store could give it back as it is.
    mutating func submit(_ stored: SettingValue?, at place: Int, _ effects: inout Effects) {
        guard isStored else { return }
        let name = slots[place].cell.storedName
        held[name] = nil
        slots[place].stored = stored
        if let fault = stored?.storageFault {
            held[name] = HeldWrite(value: stored, seen: record?.values[name])
            let message = "\(name) cannot be stored: it has \(fault); the stored value is still the one before"
            effects.announced += reject(SettingsError(.unsupportedValue, message), at: place).announced
        } else {
            enqueue(stored, as: name)
        }
    }

    mutating func enqueue(_ stored: SettingValue?, as name: String) {
        pending.updateValue(stored, forKey: name)
        assigned += 1
    }

    mutating func startPump(_ effects: inout Effects) {
        guard !isPumping, !pending.isEmpty else { return }
        isPumping = true
        effects.startsPump = true
    }

    /// Registers a caller of `commit()`, and offers the store again what it refused.
    mutating func enlist(_ answer: Answer<Void>) -> Effects {
        for (name, hold) in held where hold.value?.storageFault == nil {
            held[name] = nil
            enqueue(hold.value, as: name)
        }
        var effects = Effects()
        if pending.isEmpty, inFlight.values.isEmpty {
            effects.finished.append(answer)
        } else {
            committers.append((assigned, answer))
            startPump(&effects)
        }
        return effects
    }

    /// The next batch for the store; nil ends the pump.
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

    /// Takes the result of the batch in flight.
    ///
    /// - Returns: What others changed meanwhile, and the effects to perform when that is in place.
    mutating func finishBatch(_ outcome: Batch.Outcome) -> (MergePlan?, Effects) {
        let batch = inFlight
        inFlight = Batch()
        // The next attempt has it, unless something newer was assigned.
        pending.merge(outcome.unsaved) { newer, _ in newer }
        for (name, error) in outcome.refused where pending[name] == nil && held[name] == nil {
            if let place = place(ofStored: name) {
                slots[place].saveFault = Slot.SaveFault(error: error, isRefusedByStore: true)
            }
            mayHaveSaveErrors = true
            held[name] = HeldWrite(value: batch.values[name] ?? nil, seen: record?.values[name])
        }
        var changesErrors = storeSaveError != nil || outcome.fault != nil || !outcome.refused.isEmpty
        for (name, value) in batch.values where outcome.unsaved[name] == nil && outcome.refused[name] == nil {
            // Our own write does not end the hold on a value that was assigned since.
            held[name]?.seen = value
            guard let place = place(ofStored: name), slots[place].saveFault?.isRefusedByStore == true else { continue }
            slots[place].saveFault = nil
            changesErrors = true
        }
        storeSaveError = outcome.fault
        if outcome.fault != nil { isPumping = false }
        var effects = Effects(announced: changesErrors ? [Observed.saveErrors] : [])
        let plan = outcome.record.flatMap { take($0, of: batch, &effects) }
        effects.readsAgain = lostRecord
        lostRecord = false
        effects.fault = outcome.fault
        let last = outcome.fault == nil ? handedIn : assigned
        effects.finished = committers.filter { $0.assigned <= last }.map(\.answer)
        committers.removeAll { $0.assigned <= last }
        return (plan, effects)
    }

    /// Gives up values that the store did not take, and those it was not offered yet: others were stored in their place.
    mutating func release(_ names: some Sequence<String>) -> Effects {
        var effects = Effects()
        for name in names {
            (held[name], pending[name]) = (nil, nil)
            if let place = place(ofStored: name) { clearSaveError(at: place, &effects) }
        }
        return effects
    }

    /// Why a commit fails although the store has taken its batch.
    ///
    /// A value in force that is not stored fails every commit. A value that was not taken fails one, because all values in
    /// force are durable.
    mutating func errorToThrow() -> SettingsError? {
        guard mayHaveSaveErrors else { return nil }
        mayHaveSaveErrors = false
        var first: SettingsError?
        for place in slots.indices {
            guard let fault = slots[place].saveFault else { continue }
            mayHaveSaveErrors = true
            let isInForce = fault.isRefusedByStore || held[slots[place].cell.storedName] != nil
            guard isInForce || !fault.isThrown else { continue }
            slots[place].saveFault?.isThrown = true
            first = first ?? fault.error
        }
        return first
    }
}
