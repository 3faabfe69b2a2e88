/// What a record of the store changes in memory: planned under the lock, decoded outside, carried out under the lock.
struct MergePlan {
    struct Item {
        let cell: any AnyCell
        let stored: SettingValue?
        /// Whether the value was found under a previous name, and has to be moved.
        var isMoved = false
        /// Why there is no value to decode, although something is stored.
        var damage: SettingsError?
    }

    let record: SettingsRecord?
    let items: [Item]
    let sighting: Int
}

extension ModelState {
    /// What has to be decoded of a record, which was read when `sighting` records had been seen, if that is known; nil if
    /// the record may be older than the known one.
    func plan(for newRecord: SettingsRecord?, asOf sighting: Int?) -> MergePlan? {
        guard let record else { return plan(newRecord) }
        // It was read before the known record was written, or the store went back.
        if sighting != sightings, newRecord.map({ $0.revision < record.revision }) ?? true { return nil }
        // The store tells of our own commit once more.
        if let newRecord, newRecord.isSameVersion(as: record), storeLoadError == nil { return plan(newRecord, []) }
        return plan(newRecord)
    }

    private func plan(_ newRecord: SettingsRecord?, _ places: [Int]? = nil) -> MergePlan {
        let items =
            places?.compactMap { item(at: $0, in: newRecord) }
            ?? slots.indices.compactMap { item(at: $0, in: newRecord) }
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
        let damage = newRecord?.damage(of: name)
        if damage != nil || slots[place].loadError?.code == .corrupted {
            return damage == slots[place].loadError ? nil : .init(cell: cell, stored: value, damage: damage)
        }
        if value == nil, let newRecord, let previous = cell.previousNames.first(where: { newRecord.values[$0] != nil })
        {
            return .init(cell: cell, stored: newRecord.values[previous], isMoved: true)
        }
        return value.isIdentical(to: slots[place].stored) ? nil : .init(cell: cell, stored: value)
    }

    /// Puts decoded values in place, but for settings that were assigned meanwhile.
    mutating func carryOut(_ plan: MergePlan, _ values: [(value: DecodedValue, moved: SettingValue?)]) -> Effects {
        guard plan.sighting == sightings else { return Effects(readsAgain: true) }
        var effects = Effects()
        if plan.record == nil, !inFlight.values.isEmpty { lostRecord = true }
        let mayChangeErrors = !plan.items.isEmpty || storeLoadError != nil
        let hadLoadError = mayChangeErrors && loadError != nil
        see(plan.record, &effects)
        storeLoadError = nil
        for (item, (value, moved)) in zip(plan.items, values) {
            let place = item.cell.place
            let name = item.cell.storedName
            guard !isOnItsWay(name) else { continue }
            if held.removeValue(forKey: name) != nil { clearSaveError(at: place, &effects) }
            restore(item.stored, value, at: place, &effects)
            // A value that does not fit stays where it is, for a version of the program that knows it.
            guard let moved, isStored, value.error == nil else { continue }
            slots[place].stored = moved
            enqueue(moved, as: name)
            startPump(&effects)
        }
        if mayChangeErrors, hadLoadError || loadError != nil { effects.announced.append(Observed.loadErrors) }
        return effects
    }

    /// Takes the record that our own batch left; the cost grows with the batch, not with the number of settings.
    mutating func take(_ durable: SettingsRecord, of batch: Batch, _ effects: inout Effects) -> MergePlan? {
        let known = record?.revision ?? 0
        // The store went back, and others may have written since.
        if durable.revision < batch.revision { lostRecord = true }
        let plan: MergePlan
        if durable.revision >= batch.revision, known > durable.revision {
            // The observer brought later news, and left aside the keys of this batch.
            plan = self.plan(record)
        } else {
            let isOnlyOurs =
                known == batch.revision && (known...known + 1).contains(durable.revision)
                && durable.values.count == record?.count(after: batch.values) ?? 0
            see(durable, &effects)
            plan = self.plan(durable, isOnlyOurs ? batch.values.keys.compactMap(place(ofStored:)) : nil)
        }
        return plan.items.isEmpty ? nil : plan
    }

    private mutating func see(_ newRecord: SettingsRecord?, _ effects: inout Effects) {
        record = newRecord
        sightings += 1
        commits.noteChange(&effects)
    }

    private func isOnItsWay(_ storedName: String) -> Bool {
        pending[storedName] != nil || inFlight.values[storedName] != nil
    }
}

extension SettingsRecord {
    /// Why a secret has no value although it is stored; nil if it is not damaged.
    func damage(of name: String) -> SettingsError? {
        guard damaged[name] != nil else { return nil }
        let message = "\(name): the stored secret is damaged; the default is in force until it is set again"
        return SettingsError(.corrupted, message)
    }

    /// How many values there are after a batch: fewer, if others removed all of them meanwhile.
    fileprivate func count(after batch: Batch.Values) -> Int {
        batch.reduce(values.count) { count, change in
            count + (change.value == nil ? 0 : 1) - (values[change.key] == nil ? 0 : 1)
        }
    }

    /// Whether both are one version: a store that went back has another date or author.
    fileprivate func isSameVersion(as other: SettingsRecord) -> Bool {
        revision == other.revision && updatedAt == other.updatedAt && updatedBy == other.updatedBy
    }
}
