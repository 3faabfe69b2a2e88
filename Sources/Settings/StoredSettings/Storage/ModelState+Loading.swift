/// What a record of the store changes in memory: planned under the lock, decoded outside, carried out under the lock.
struct MergePlan {
    struct Item {
        let cell: any AnyCell
        let stored: SettingValue?
        /// Whether the value was found under a previous name, and has to be moved.
        var isMoved = false
        /// Why there is no value to decode, although something is stored.
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
    /// How many records had been seen.
    let sighting: Int
}

extension ModelState {
    /// Takes what the store has for the scope now, and plans what follows for the values in force.
    ///
    /// ``carryOut(_:_:)`` has to follow, also for a plan without items. The cost grows with what changed, if that is known, and
    /// not with the number of settings.
    mutating func see(_ newRecord: SettingsRecord?, changed: Set<String>? = nil) -> MergePlan {
        let old = record
        record = newRecord
        isLoaded = true
        sightings += 1
        if let old, let newRecord, let changed, newRecord.follows(old, changing: changed), !hasSharedNames,
            schema.previousNames.isEmpty
        {
            return plan(forStored: changed)
        }
        return MergePlan(items: slots.compactMap(item), sighting: sightings)
    }

    /// Plans what the newest record means for settings that had writes on their way.
    func plan(forStored names: some Sequence<String>) -> MergePlan {
        MergePlan(items: names.compactMap(place(ofStored:)).compactMap { item(slots[$0]) }, sighting: sightings)
    }

    private func item(_ slot: Slot) -> MergePlan.Item? {
        let cell = slot.cell
        let name = cell.storedName
        let value = record?.values[name]
        if isOnItsWay(name) { return nil }
        if let hold = held[name] {
            // A value that the store does not take is in force until the store has a newer one.
            return hold.seen.isIdentical(to: value) ? nil : .init(cell: cell, stored: value)
        }
        let found = record.item(for: cell)
        if found.damage != nil || slot.loadError?.code == .corrupted {
            return found.damage == slot.loadError ? nil : found
        }
        return !found.isMoved && value.isIdentical(to: slot.stored) ? nil : found
    }

    /// Puts decoded values in place, but for settings that were assigned meanwhile.
    mutating func carryOut(
        _ plan: MergePlan,
        _ values: [(value: DecodedValue, moved: SettingValue?)]
    ) -> Effects {
        var effects = Effects(wakesReaders: true)
        let hadLoadError = loadError != nil
        storeLoadError = nil
        // The plan for a newer record has all that this one has.
        let items = plan.sighting == sightings ? plan.items : []
        for (item, (value, moved)) in zip(items, values) {
            let place = item.cell.place
            let name = item.cell.storedName
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
        enqueue(.value(value), as: slots[place].cell.storedName)
        startPump(&effects)
    }

    private func isOnItsWay(_ storedName: String) -> Bool {
        pending[storedName] != nil || inFlight[storedName] != nil
    }
}

extension SettingsRecord {
    /// Why a secret has no value although it is stored; nil if it is not damaged.
    func damage(of name: String) -> SettingsError? {
        guard damaged[name] != nil else { return nil }
        let message = "\(name): the stored secret is damaged; the default is in force until it is set again"
        return SettingsError(.corrupted, message)
    }

    /// Whether it may be another record in which some values changed: not after the store went back, or lost a scope.
    fileprivate func follows(_ earlier: SettingsRecord, changing names: Set<String>) -> Bool {
        func count(_ record: SettingsRecord) -> Int {
            record.values.count - names.count { record.values[$0] != nil }
        }
        return revision > earlier.revision && count(self) == count(earlier)
    }
}

extension SettingsRecord? {
    /// What is stored for a setting, perhaps under a name that it had before.
    func item(for cell: any AnyCell) -> MergePlan.Item {
        let value = self?.values[cell.storedName]
        if let damage = self?.damage(of: cell.storedName) { return .init(cell: cell, stored: value, damage: damage) }
        if value == nil, let previous = cell.previousNames.lazy.compactMap({ self?.values[$0] }).first {
            return .init(cell: cell, stored: previous, isMoved: true)
        }
        return .init(cell: cell, stored: value)
    }
}
