/// The changes that a record means for the values in memory: planned and carried out under the lock, decoded outside.
struct MergePlan {
    struct Item {
        let cell: any AnyCell
        let stored: SettingValue?
        /// Whether the value has a previous name and must be moved.
        var isMoved = false
        var damage: SettingsError?

        /// Runs code of the value's type, and so never under a lock.
        func decode() -> (value: DecodedValue, moved: SettingValue?) {
            var value = cell.decode(stored)
            value.error = damage ?? value.error
            // A value that does not fit stays where it is, for a version of the program that knows it.
            return (value, isMoved && value.error == nil ? value.stored() : nil)
        }
    }

    let items: [Item]
    let sighting: Int
}

extension ModelState {
    /// Notes the newest record, and plans the changes of the values in force.
    ///
    /// ``carryOut(_:_:)`` must follow, even for a plan without items. If `changed` is known, the cost depends on it alone.
    mutating func see(_ newRecord: SettingsRecord?, changed: Set<String>? = nil) -> MergePlan {
        let old = record
        record = newRecord
        isLoaded = true
        sightings += 1
        if let old, let newRecord, let changed, newRecord.follows(old, changing: changed), !hasSharedNames,
            schema.previousNames.isEmpty
        {
            return plan(for: changed)
        }
        return MergePlan(items: slots.compactMap(item), sighting: sightings)
    }

    /// Plans the changes of settings whose writes have ended.
    func plan(for names: some Sequence<String>) -> MergePlan {
        MergePlan(items: names.compactMap(place(of:)).compactMap { item(slots[$0]) }, sighting: sightings)
    }

    private func item(_ slot: Slot) -> MergePlan.Item? {
        let cell = slot.cell
        let name = cell.name
        let value = record?.values[name]
        if isOnItsWay(name) { return nil }
        if let hold = held[name] {
            // A refused value stays in force until the store has a newer one.
            return hold.seen.isIdentical(to: value) ? nil : .init(cell: cell, stored: value)
        }
        let found = record.item(for: cell)
        if found.damage != nil || slot.loadError?.code == .corrupted {
            return found.damage == slot.loadError ? nil : found
        }
        return !found.isMoved && value.isIdentical(to: slot.stored) ? nil : found
    }

    /// Puts decoded values in place, except for settings that were assigned meanwhile.
    mutating func carryOut(_ plan: MergePlan, _ values: [(value: DecodedValue, moved: SettingValue?)]) -> Effects {
        var effects = Effects(wakesReaders: true)
        let hadLoadError = loadError != nil
        storeLoadError = nil
        // The plan of a newer record includes this one.
        let items = plan.sighting == sightings ? plan.items : []
        for (item, (value, moved)) in zip(items, values) {
            let place = item.cell.place
            let name = item.cell.name
            guard !isOnItsWay(name) else { continue }
            if held.removeValue(forKey: name) != nil { clearSaveError(at: place, &effects) }
            restore(item.stored, value, at: place, &effects)
            if let moved { move(moved, to: place, &effects) }
        }
        if hadLoadError || loadError != nil { effects.announced.append(Observed.loadErrors) }
        return effects
    }

    mutating func move(_ value: SettingValue, to place: Int, _ effects: inout Effects) {
        guard isStored else { return }
        slots[place].stored = value
        enqueue(.value(value), as: slots[place].cell.name)
        startPump(&effects)
    }

    private func isOnItsWay(_ name: String) -> Bool {
        pending[name] != nil || inFlight[name] != nil
    }
}

extension SettingsRecord {
    func damage(of name: String) -> SettingsError? {
        guard damaged[name] != nil else { return nil }
        let message = "\(name): the stored secret is damaged; the default is in force until it is set again"
        return SettingsError(.corrupted, message)
    }

    /// Whether only the named values differ; not after a backup was restored or a scope was removed.
    fileprivate func follows(_ earlier: SettingsRecord, changing names: Set<String>) -> Bool {
        func count(_ record: SettingsRecord) -> Int {
            record.values.count - names.count { record.values[$0] != nil }
        }
        return revision > earlier.revision && count(self) == count(earlier)
    }
}

extension SettingsRecord? {
    /// The stored value of a setting, or that of a previous name.
    func item(for cell: any AnyCell) -> MergePlan.Item {
        let value = self?.values[cell.name]
        if let damage = self?.damage(of: cell.name) { return .init(cell: cell, stored: value, damage: damage) }
        if value == nil, let previous = cell.previousNames.lazy.compactMap({ self?.values[$0] }).first {
            return .init(cell: cell, stored: previous, isMoved: true)
        }
        return .init(cell: cell, stored: value)
    }
}
