/// What a record of the store changes in memory: made under the lock, decoded outside, and carried out under the lock.
struct MergePlan {
    /// One setting whose stored value is another than the one last seen.
    struct Item {
        let cell: any AnyCell
        let stored: SettingValue?
        /// Whether the value was found under a previous name, and is to be moved.
        var isMoved = false
    }

    let record: SettingsRecord?
    let items: [Item]
    /// How many records had been seen.
    let sighting: Int
}

extension SettingsCore.State {
    /// Compares a record that was read with what is in memory.
    ///
    /// - Parameters:
    ///   - newRecord: What was read.
    ///   - sighting: How many records had been seen when it was read, if that is known.
    /// - Returns: What has to be decoded; nil if the record may be older than what is known.
    mutating func beginMerge(_ newRecord: SettingsRecord?, asOf sighting: Int?) -> MergePlan? {
        // Read before the known record was written, or the store went back.
        if let record, sighting != sightings, newRecord.map({ $0.revision < record.revision }) ?? true { return nil }
        // Our own commit, told by the store once more.
        if let record, let newRecord, newRecord.isSameVersion(as: record), storeLoadError == nil {
            return MergePlan(record: newRecord, items: [], sighting: sightings)
        }
        return plan(newRecord, places: slots.indices)
    }

    private func plan(_ newRecord: SettingsRecord?, places: some Sequence<Int>) -> MergePlan {
        let items = places.compactMap { item(at: $0, in: newRecord) }
        return MergePlan(record: newRecord, items: items, sighting: sightings)
    }

    private func item(at place: Int, in newRecord: SettingsRecord?) -> MergePlan.Item? {
        let cell = slots[place].cell
        let name = cell.storedName
        let value = newRecord?.values[name]
        if isOnItsWay(name) { return nil }
        if let hold = held[name] {
            // A value that the store does not take is in force until the store has a newer one.
            return hold.seen.isIdentical(to: value) ? nil : .init(cell: cell, stored: value)
        }
        if value == nil, let newRecord,
            let previous = cell.previousNames.first(where: { newRecord.values[$0] != nil })
        {
            return .init(cell: cell, stored: newRecord.values[previous], isMoved: true)
        }
        return value.isIdentical(to: slots[place].stored) ? nil : .init(cell: cell, stored: value)
    }

    /// Puts decoded values in place, but for settings that were assigned meanwhile.
    mutating func carryOut(
        _ plan: MergePlan,
        _ values: [(value: DecodedValue, moved: SettingValue?)]
    ) -> Effects {
        var effects = Effects()
        guard plan.sighting == sightings else {
            effects.isDoubtful = true
            return effects
        }
        if plan.record == nil, !inFlight.values.isEmpty { isDoubtful = true }
        let mayChangeErrors = !plan.items.isEmpty || storeLoadError != nil
        let hadLoadError = mayChangeErrors && loadError != nil
        see(plan.record, &effects)
        storeLoadError = nil
        for (item, (value, moved)) in zip(plan.items, values) {
            let place = item.cell.place
            let name = item.cell.storedName
            guard !isOnItsWay(name) else { continue }
            if held.removeValue(forKey: name) != nil { clearSaveError(at: place, &effects) }
            if slots[place].restore(item.stored, value) { note(place, in: &effects) }
            // A value that does not fit stays where it is, for a version that knows better.
            guard let moved, isStored, value.error == nil else { continue }
            slots[place].stored = moved
            pending.updateValue(moved, forKey: name)
            assigned += 1
            startPump(&effects)
        }
        if mayChangeErrors, hadLoadError || loadError != nil { effects.keyPaths.append(SettingsCore.loadErrorKeyPath) }
        return effects
    }

    private mutating func see(_ newRecord: SettingsRecord?, _ effects: inout Effects) {
        record = newRecord
        sightings += 1
        commits.bump(&effects.waiters)
    }

    private func isOnItsWay(_ storedName: String) -> Bool {
        pending[storedName] != nil || inFlight.values[storedName] != nil
    }
}

extension SettingsRecord {
    /// Whether both are one version, as far as their marks tell: a store that went back has another date or author.
    fileprivate func isSameVersion(as other: SettingsRecord) -> Bool {
        revision == other.revision && updatedAt == other.updatedAt && updatedBy == other.updatedBy
    }
}

extension SettingsCore.State {
    /// The batch has been tried.
    ///
    /// - Returns: What others changed meanwhile, and what is to be done when that is carried out.
    mutating func settle(_ outcome: BatchOutcome) -> (MergePlan?, Effects) {
        let batch = inFlight
        inFlight = Batch()
        putBack(outcome.unsaved)
        refuse(outcome.refused, of: batch)
        var changesErrors = storeSaveError != nil || outcome.fault != nil || !outcome.refused.isEmpty
        for (name, value) in batch.values where outcome.unsaved[name] == nil && outcome.refused[name] == nil {
            // Ours, and not another's that would end the hold on what was assigned since.
            held[name]?.seen = value
            guard let place = place(ofStored: name), slots[place].storeRefusal != nil else { continue }
            slots[place].storeRefusal = nil
            changesErrors = true
        }
        storeSaveError = outcome.fault
        if outcome.fault != nil { isPumping = false }
        var effects = Effects()
        if changesErrors { effects.keyPaths.append(SettingsCore.saveErrorKeyPath) }
        let plan = outcome.record.flatMap { take($0, of: batch, &effects) }
        effects.isDoubtful = isDoubtful
        isDoubtful = false
        release(outcome.fault, &effects)
        return (plan, effects)
    }

    /// Takes the record that our own batch left; costs what the batch costs, however many settings there are.
    private mutating func take(_ durable: SettingsRecord, of batch: Batch, _ effects: inout Effects) -> MergePlan? {
        let known = record?.revision ?? 0
        // Below what was known before: the store went back, and others may have written since.
        if durable.revision < batch.revision { isDoubtful = true }
        if durable.revision >= batch.revision, known > durable.revision {
            // The observer brought later news, and left aside the keys of this batch.
            return nonempty(plan(record, places: slots.indices))
        }
        let isOnlyOurs = known == batch.revision && (durable.revision == known || durable.revision == known + 1)
        see(durable, &effects)
        if isOnlyOurs { return nonempty(plan(durable, places: batch.values.keys.compactMap(place(ofStored:)))) }
        return nonempty(plan(durable, places: slots.indices))
    }

    private func nonempty(_ plan: MergePlan) -> MergePlan? { plan.items.isEmpty ? nil : plan }

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
}
