import Concurrency

struct BatchOutcome: Sendable {
    var refused: [String: SettingsError] = [:]
    /// Why the store failed, and the settings that it did not store for that reason.
    var fault: (any Error)?
    var unsaved: Set<String> = []
}

extension ModelState {
    /// A value in force that the store refused.
    struct HeldWrite {
        let place: Int
        let value: JSONValue?
        /// The stored value; when it changes, it replaces the refused one.
        var seen: JSONValue?
    }

    mutating func enqueue(_ place: Int) {
        let name = settings[place].cell.name
        held[name] = nil
        pending[name] = place
        settings[place].isMove = false
    }

    mutating func startPump(_ effects: inout Effects) {
        guard !isPumping, !pending.isEmpty else { return }
        isPumping = true
        effects.startsPump = true
    }

    /// Offers to the store again what it could not write.
    mutating func saveAgain() -> Effects {
        isToSaveAgain = false
        var effects = Effects()
        startPump(&effects)
        return effects
    }

    /// Registers a caller of `commit()`, and offers refused values to the store again.
    mutating func enlist(_ answer: Answer<Void>) -> Effects {
        for hold in held.values where hold.value?.storageFault == nil { enqueue(hold.place) }
        var effects = Effects()
        switch (pending.isEmpty, inFlight.isEmpty) {
        case (true, true): effects.finished.append(answer)
        case (true, false): committersInFlight.append(answer)
        case (false, _): committers.append(answer)
        }
        startPump(&effects)
        return effects
    }

    /// The next batch for the store, as closures that encode the values in force outside of the lock; nil ends the pump.
    ///
    /// The batch is empty if an apply replaced all that a commit waits for.
    mutating func nextBatch() -> [String: @Sendable () -> JSONValue?]? {
        guard !pending.isEmpty || !committers.isEmpty else {
            isPumping = false
            return nil
        }
        (inFlight, pending) = (pending, [:])
        (committersInFlight, committers) = (committers, [])
        return inFlight.mapValues { place in
            let (isSet, snapshot) = (settings[place].isSet, settings[place].cell.snapshot())
            return { isSet ? snapshot() : nil }
        }
    }

    /// Notes the encoded values of a batch; returns the names of those that no store can hold.
    mutating func noteEncoded(_ batch: Batch, _ effects: inout Effects) -> Set<String> {
        var unstorable: Set<String> = []
        for (name, value) in batch {
            guard let place = inFlight[name] else { continue }
            settings[place].stored = value
            guard let fault = value?.storageFault else { continue }
            unstorable.insert(name)
            inFlight[name] = nil
            guard pending[name] == nil else { continue }
            held[name] = HeldWrite(place: place, value: value, seen: record?.values[name])
            effects.announced += reject(.unstorable(name, fault), at: place).announced
        }
        return unstorable
    }

    /// Ends the batch in flight; returns the plan for values that others stored meanwhile, and the effects to perform after it.
    mutating func finish(_ batch: Batch, _ outcome: BatchOutcome) -> (MergePlan, Effects) {
        let places = inFlight
        inFlight = [:]
        var (batch, outcome) = (batch, outcome)
        if outcome.fault.map(SettingsError.init)?.code == .readOnly {
            // Nothing was assigned, and the values are found under their earlier names.
            let moves = outcome.unsaved.filter { name in places[name].map { settings[$0].isMove } ?? false }
            outcome.unsaved.subtract(moves)
            for name in moves { batch.removeValue(forKey: name) }
            if outcome.unsaved.isEmpty { outcome.fault = nil }
        }
        // Retry with the next batch, unless a newer value was assigned.
        pending.merge(places.filter { outcome.unsaved.contains($0.key) }) { newer, _ in newer }
        for (name, error) in outcome.refused where pending[name] == nil && held[name] == nil {
            guard let place = places[name] else { continue }
            settings[place].saveFault = SettingState.SaveFault(error: error, isRefusedByStore: true)
            held[name] = HeldWrite(place: place, value: batch[name] ?? nil, seen: record?.values[name])
        }
        let isSameFault = storeSaveError.map(SettingsError.init) == outcome.fault.map(SettingsError.init)
        var changesErrors = !isSameFault || !outcome.refused.isEmpty
        for (name, value) in batch where !outcome.unsaved.contains(name) && outcome.refused[name] == nil {
            // Our own write must not replace a refused value that was assigned later.
            held[name]?.seen = value
            guard let place = places[name] else { continue }
            settings[place].unread = nil
            guard settings[place].saveFault?.isRefusedByStore == true else { continue }
            settings[place].saveFault = nil
            changesErrors = true
        }
        storeSaveError = outcome.fault
        var effects = Effects(announced: changesErrors ? [Observed.errors] : [])
        if outcome.fault != nil {
            isPumping = false
            (effects.savesAgainLater, isToSaveAgain) = (!isToSaveAgain, true)
        }
        effects.fault = outcome.fault
        // After a fault no batch follows: answer the calls that wait for the next one as well.
        effects.finished = committersInFlight + (outcome.fault == nil ? [] : committers)
        committersInFlight = []
        if outcome.fault != nil { committers = [] }
        return (plan(for: batch.keys), effects)
    }

    /// How often values were put in place, by the indices of their settings.
    func revisions(of names: some Sequence<String>) -> [Int: Int] {
        let places = names.compactMap(place(of:))
        return Dictionary(uniqueKeysWithValues: places.map { ($0, settings[$0].revision.number) })
    }

    /// Drops refused and pending values that stored values replace, except for those that were assigned since.
    mutating func release(_ revisions: [Int: Int]) -> Effects {
        var effects = Effects()
        for (place, revision) in revisions {
            let name = settings[place].cell.name
            if pending[name] != nil {
                if settings[place].revision.number != revision { continue }
                // The value in force was never stored: let the next plan replace it, also by the value stored before.
                settings[place].stored = .unstorable("replaced")
            }
            (held[name], pending[name]) = (nil, nil)
            clearErrors(at: place, &effects)
        }
        return effects
    }

    /// Why a commit fails although the store accepted its batch.
    ///
    /// A value in force that is not stored fails every commit; a refused assignment fails one.
    mutating func errorToThrow() -> SettingsError? {
        var first: SettingsError?
        for place in settings.indices {
            guard let fault = settings[place].saveFault else { continue }
            let isInForce = fault.isRefusedByStore || held[settings[place].cell.name] != nil
            guard isInForce || !fault.isThrown else { continue }
            settings[place].saveFault?.isThrown = true
            first = first ?? fault.error
        }
        return first
    }
}
