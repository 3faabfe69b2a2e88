/// The changes that a record means for the values in memory: planned and carried out under the lock, decoded outside.
struct MergePlan {
    let items: [(cell: any AnyCell, found: FoundValue)]
    let sighting: Int

    /// Runs code of the values' types, and so never under a lock.
    func decode() -> [DecodedValue] { items.map { $0.cell.decode($0.found) } }
}

extension ModelState {
    /// Notes the newest record, and plans the changes of the values in force.
    ///
    /// ``carryOut(_:_:)`` must follow, even for a plan without items. If `changed` is known, the cost depends on it alone.
    mutating func see(_ newRecord: SettingsRecord?, changed: Set<String>? = nil) -> MergePlan {
        let old = record
        record = newRecord
        isLoaded = true
        if sightings == 0 { noteUnread() }
        sightings += 1
        if let old, let newRecord, let changed, newRecord.differs(from: old, onlyIn: changed), !hasSharedNames,
            schema.previousNames.isEmpty
        {
            return plan(for: changed)
        }
        return MergePlan(items: settings.compactMap(item), sighting: sightings)
    }

    /// Notes the stored values of settings that were assigned before anybody could read them.
    private mutating func noteUnread() {
        for place in [Int](pending.values) + inFlight.values {
            let cell = settings[place].cell
            settings[place].unread = cell.unread(FoundValue(cell.name, cell.previousNames, in: record).stored)
        }
    }

    /// Plans again, by the record as it is now.
    func renewed(_ plan: MergePlan) -> MergePlan {
        MergePlan(items: plan.items.compactMap { item(settings[$0.cell.place]) }, sighting: sightings)
    }

    /// Plans the changes of settings whose writes have ended.
    func plan(for names: some Sequence<String>) -> MergePlan {
        guard hasSharedNames else {
            return MergePlan(items: names.compactMap(place(of:)).compactMap { item(settings[$0]) }, sighting: sightings)
        }
        // Each declaration of a name has a cell of its own.
        let names = Set(names)
        let items = settings.filter { names.contains($0.cell.name) }.compactMap(item)
        return MergePlan(items: items, sighting: sightings)
    }

    private func item(_ setting: SettingState) -> (cell: any AnyCell, found: FoundValue)? {
        let cell = setting.cell
        let name = cell.name
        let value = record?.values[name]
        if isOnItsWay(name) { return nil }
        if let hold = held[name] {
            // A refused value stays in force until the store has a newer one.
            return hold.seen.isIdentical(to: value) ? nil : (cell, FoundValue(stored: value))
        }
        let found = FoundValue(cell.name, cell.previousNames, in: record)
        if found.damage != nil || setting.loadError?.code == .corrupted {
            return found.damage == setting.loadError ? nil : (cell, found)
        }
        return !found.isMoved && value.isIdentical(to: setting.stored) ? nil : (cell, found)
    }

    /// Puts decoded values in place, except for settings that were assigned meanwhile; nil if the record is newer than the plan.
    mutating func carryOut(_ plan: MergePlan, _ values: [DecodedValue]) -> Effects? {
        guard plan.sighting == sightings else { return nil }
        var effects = Effects(announced: [Observed.commits], wakesReaders: true)
        let hadLoadError = loadError != nil
        storeLoadError = nil
        for value in values where !isOnItsWay(value.cell.name) {
            if held.removeValue(forKey: value.cell.name) != nil { clearErrors(at: value.cell.place, &effects) }
            restore(value, &effects)
            move(value, &effects)
        }
        if hadLoadError || loadError != nil { effects.announced.append(Observed.errors) }
        return effects
    }

    /// Stores a value under the name of its setting if it was found under an earlier one.
    mutating func move(_ value: DecodedValue, _ effects: inout Effects) {
        guard isStored, let moved = value.moved else { return }
        settings[value.cell.place].stored = moved
        enqueue(value.cell.place)
        settings[value.cell.place].isMove = true
        startPump(&effects)
    }

    private func isOnItsWay(_ name: String) -> Bool { pending[name] != nil || inFlight[name] != nil }
}

extension SettingsRecord {
    /// Whether only the named values differ; false if a backup was restored or the scope was removed in between.
    fileprivate func differs(from earlier: SettingsRecord, onlyIn names: Set<String>) -> Bool {
        func count(_ record: SettingsRecord) -> Int {
            record.values.count - names.count { record.values[$0] != nil }
        }
        return revision > earlier.revision && count(self) == count(earlier)
    }
}
