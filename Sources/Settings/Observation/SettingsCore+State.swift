extension SettingsCore {
    /// All that the lock of a core guards; every method leaves it consistent and says what to do outside the lock.
    struct State {
        typealias Effects = SettingsCore.Effects

        var slots: [Slot]
        private(set) var places: [String: Int] = [:]
        var whole = ChangeChannel()
        /// The newest record seen in the store.
        var record: SettingsRecord?
        /// How often a record was seen.
        var sightings = 0
        let prefix: String
        /// Without a store, nothing is ever pending.
        let isStored: Bool
        /// Assigned and not yet handed to the store.
        var pending: [String: StoredValue?] = [:]
        /// The transactions by which names are pending; none for what was assigned alone.
        var groups: [String: Int] = [:]
        /// Handed to the store and not yet durable.
        var inFlight = Batch()
        /// In force, and not taken by the store.
        var held: [String: HeldWrite] = [:]
        var isPumping = false
        var isDoubtful = false
        var committers: [Int: Committer] = [:]
        /// How often something was assigned: now, when the batch in flight was taken.
        var assigned = 0
        var handedIn = 0
        var lastID = 0
        var storeLoadError: (any Error)?
        var storeSaveError: (any Error)?
        private(set) var isFinished = false

        init(_ cells: [any AnyCell], prefix: String, isStored: Bool) {
            self.prefix = prefix
            self.isStored = isStored
            slots = cells.map(Slot.init)
            for cell in cells { places[cell.name] = cell.place }
        }

        /// The cell of a key; one that the schema left out gets its own when it is first used.
        mutating func cell<Value>(of key: SettingsKey<Value>) -> Cell<Value> {
            if let place = places[key.name] {
                if let cell = slots[place].cell as? Cell<Value> { return cell }
                // Two declarations share a name, and each has a type and a cell of its own.
                let others = slots.lazy.filter { $0.cell.name == key.name }
                if let cell = others.compactMap({ $0.cell as? Cell<Value> }).first { return cell }
            }
            let cell = Cell(key, prefix: prefix, at: slots.endIndex)
            var slot = Slot(cell)
            if let stored = record?.values[cell.storedName] { _ = slot.restore(stored) }
            places[key.name] = cell.place
            slots.append(slot)
            return cell
        }

        mutating func newID() -> Int {
            lastID += 1
            return lastID
        }

        /// The store's error, else that of the first setting that has one.
        var loadError: (any Error)? { storeLoadError ?? slots.lazy.compactMap(\.loadError).first }
        var saveError: (any Error)? { storeSaveError ?? slots.lazy.compactMap(\.saveError).first }
    }
}

extension SettingsCore.State {
    /// Takes what the store holds, but for keys that have writes on their way to it.
    ///
    /// - Parameters:
    ///   - newRecord: What was read.
    ///   - sighting: How many records had been seen when it was read, if that is known.
    /// - Returns: What is to be done outside the lock.
    mutating func merge(_ newRecord: SettingsRecord?, asOf sighting: Int? = nil) -> Effects {
        if let newRecord, let record, newRecord.revision < record.revision, sighting != sightings {
            // It was read before what is known, or the store went back: reading it again tells.
            var effects = Effects()
            effects.isDoubtful = true
            return effects
        }
        return take(newRecord)
    }

    mutating func take(_ newRecord: SettingsRecord?) -> Effects {
        if newRecord == nil, !inFlight.values.isEmpty { isDoubtful = true }
        record = newRecord
        sightings += 1
        var effects = Effects()
        let before = loadError != nil
        storeLoadError = nil
        for place in slots.indices where !isOnItsWay(slots[place].cell.storedName) {
            guard release(place, &effects) else { continue }
            let (stored, former) = stored(of: slots[place].cell, in: newRecord)
            if slots[place].restore(stored) == .different { note(place, in: &effects) }
            if let former { move(stored, from: former, to: slots[place]) }
        }
        if before || loadError != nil { effects.keyPaths.append(SettingsCore.loadErrorKeyPath) }
        conclude(&effects)
        return effects
    }

    private func isOnItsWay(_ storedName: String) -> Bool {
        pending[storedName] != nil || inFlight.values[storedName] != nil
    }

    /// Gives up a value that the store does not take as soon as the store has a newer one; false while it stays in force.
    private mutating func release(_ place: Int, _ effects: inout Effects) -> Bool {
        let name = slots[place].cell.storedName
        guard let hold = held[name] else { return true }
        guard !hold.seen.isIdentical(to: record?.values[name]) else { return false }
        held[name] = nil
        clearSaveError(at: place, &effects)
        return true
    }

    /// What a record holds for a setting, and the former name under which it was found.
    private func stored(of cell: any AnyCell, in record: SettingsRecord?) -> (StoredValue?, former: String?) {
        guard let values = record?.values else { return (nil, nil) }
        if let stored = values[cell.storedName] { return (stored, nil) }
        guard let former = cell.formerNames.first(where: { values[$0] != nil }) else { return (nil, nil) }
        return (values[former], former)
    }

    private mutating func move(_ stored: StoredValue?, from former: String, to slot: Slot) {
        // A value that does not fit stays where it is, for a version that knows better.
        guard isStored, slot.loadError == nil else { return }
        // Not as it was found: a setting may have become secret with its new name.
        pending.updateValue(stored == nil ? nil : slot.cell.stored, forKey: slot.cell.storedName)
        pending.updateValue(nil, forKey: former)
        assigned += 1
    }

    mutating func failLoad(_ error: any Error) -> Effects {
        var effects = Effects()
        storeLoadError = error
        effects.keyPaths.append(SettingsCore.loadErrorKeyPath)
        return effects
    }

    mutating func finish() -> Effects {
        isFinished = true
        var effects = Effects()
        effects.keyPaths = [SettingsCore.endKeyPath]
        effects.waiters = whole.takeAll()
        for place in slots.indices { effects.waiters += slots[place].channel.takeAll() }
        return effects
    }

    mutating func clearSaveError(at place: Int, _ effects: inout Effects) {
        guard slots[place].saveError != nil else { return }
        slots[place].refusal = nil
        slots[place].storeRefusal = nil
        effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
    }

    mutating func note(_ place: Int, in effects: inout Effects) {
        slots[place].channel.bump(&effects.waiters)
        effects.keyPaths.append(slots[place].cell.keyPath)
        effects.isChanged = true
    }

    mutating func conclude(_ effects: inout Effects) {
        if effects.isChanged { whole.bump(&effects.waiters) }
        startPump(&effects)
    }

    mutating func startPump(_ effects: inout Effects) {
        guard !isPumping, !pending.isEmpty else { return }
        isPumping = true
        effects.startsPump = true
    }
}
