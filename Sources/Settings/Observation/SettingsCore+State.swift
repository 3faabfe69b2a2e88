extension SettingsCore {
    /// All that the lock of a core guards; every method leaves it consistent and says what to do outside the lock.
    struct State {
        typealias Effects = SettingsCore.Effects

        var slots: [Slot]
        /// Commits that were seen.
        var commits = ChangeChannel()
        /// The newest record seen in the store.
        var record: SettingsRecord?
        /// How often a record was seen.
        var sightings = 0
        let prefix: String
        let schema: SettingsSchema
        /// Without a store, nothing is ever pending.
        let isStored: Bool
        /// Assigned and not yet handed to the store.
        var pending: Batch.Values = [:]
        /// Handed to the store and not yet durable.
        var inFlight = Batch()
        /// In force, and not taken by the store.
        var held: [String: HeldWrite] = [:]
        /// Whether a setting may have a save error; without one, a commit need not look at each.
        var mayHaveSaveErrors = false
        var isPumping = false
        var isDoubtful = false
        var committers: [Int: Committer] = [:]
        /// How often something was assigned: now, and when the batch in flight was taken.
        var assigned = 0
        var handedIn = 0
        var storeLoadError: (any Error)?
        var storeSaveError: (any Error)?
        private(set) var isFinished = false
        private var lastID = 0
        /// The places of keys that the schema left out.
        private var laterPlaces: [String: Int] = [:]

        init(_ cells: [any AnyCell], prefix: String, schema: SettingsSchema, isStored: Bool) {
            self.prefix = prefix
            self.schema = schema
            self.isStored = isStored
            slots = cells.map(Slot.init)
        }

        func place(of name: String) -> Int? { schema.place(of: name) ?? laterPlaces[name] }

        func cell(named name: String) -> (any AnyCell)? { place(of: name).map { slots[$0].cell } }

        /// The cell of a key, and what has to be restored in it: one that the schema left out gets its own when it is used.
        mutating func cell<Value>(of key: SettingsKey<Value>) -> (Cell<Value>, restoring: SettingValue?) {
            if let place = place(of: key.name) {
                if let cell = slots[place].cell as? Cell<Value> { return (cell, nil) }
                // Two declarations share a name, and each has a type and a cell of its own.
                let others = slots.lazy.filter { $0.cell.name == key.name }
                if let cell = others.compactMap({ $0.cell as? Cell<Value> }).first { return (cell, nil) }
            }
            let cell = Cell(key, prefix: prefix, at: slots.endIndex)
            if schema.place(of: key.name) == nil { laterPlaces[key.name] = cell.place }
            slots.append(Slot(cell))
            return (cell, record?.values[cell.storedName])
        }

        mutating func restoreLate(_ place: Int, _ stored: SettingValue, _ decoded: DecodedValue) {
            if !slots[place].isPresent { _ = slots[place].restore(stored, decoded) }
        }

        mutating func newID() -> Int {
            lastID += 1
            return lastID
        }

        /// The store's error, else that of the first setting that has one.
        var loadError: (any Error)? { storeLoadError ?? slots.lazy.compactMap(\.loadError).first }
        var saveError: (any Error)? { storeSaveError ?? slots.lazy.compactMap(\.saveError).first }

        mutating func failLoad(_ error: any Error) -> Effects {
            storeLoadError = error
            return Effects(keyPaths: [SettingsCore.loadErrorKeyPath])
        }

        mutating func finish() -> [ChangeChannel.Waiter] {
            isFinished = true
            return (slots.map(\.channel) + [commits]).flatMap(\.waiters.values)
        }
    }
}

extension SettingsCore.State {
    /// Lets `exchange` put a value in place; the observers of this setting are left to the caller.
    ///
    /// - Returns: Whether the value differs, nil if another value came between; and what is to be done outside the lock.
    mutating func assign(
        _ stored: SettingValue?,
        at place: Int,
        after revision: Int?,
        _ exchange: () -> Bool
    ) -> (isDifferent: Bool?, Effects?) {
        if let revision, !slots[place].revision.isCurrent(since: revision) { return (nil, nil) }
        let isDifferent = exchange()
        let concernsAnybody = slots[place].note(isDifferent: isDifferent)
        // Most assignments to a model in memory cause nothing more.
        guard stored != nil || concernsAnybody else { return (isDifferent, nil) }
        var effects = Effects()
        if isDifferent { effects.waiters += slots[place].channel.waiters.values }
        if let stored {
            let isNews = slots[place].isNews(stored)
            clearErrors(at: place, &effects)
            if isNews { submit(stored, at: place, &effects) }
            startPump(&effects)
        } else {
            clearErrors(at: place, &effects)
        }
        return (isDifferent, effects)
    }

    /// A value that is not taken: the one before stays.
    mutating func refuse(_ error: SettingsError, at place: Int) -> Effects {
        slots[place].refusal = error
        slots[place].isRefusalThrown = false
        mayHaveSaveErrors = true
        return Effects(keyPaths: [SettingsCore.saveErrorKeyPath])
    }

    /// Takes assignments together; nil takes a setting back to its default and removes what is stored.
    mutating func assign(_ changes: [(cell: any AnyCell, stored: SettingValue?, value: DecodedValue)]) -> Effects {
        var effects = Effects()
        for (cell, stored, value) in changes {
            let place = cell.place
            let isNews = stored.map(slots[place].isNews) ?? true
            clearErrors(at: place, &effects)
            let before = slots[place].stored
            let isDifferent = slots[place].restore(stored, value)
            slots[place].revision.advance()
            if isDifferent { note(place, in: &effects) }
            guard isNews else { continue }
            slots[place].stored = before
            submit(stored, at: place, &effects)
        }
        startPump(&effects)
        return effects
    }

    private mutating func clearErrors(at place: Int, _ effects: inout Effects) {
        clearSaveError(at: place, &effects)
        guard slots[place].loadError != nil else { return }
        slots[place].loadError = nil
        effects.keyPaths.append(SettingsCore.loadErrorKeyPath)
    }

    mutating func clearSaveError(at place: Int, _ effects: inout Effects) {
        guard slots[place].saveError != nil else { return }
        slots[place].refusal = nil
        slots[place].storeRefusal = nil
        effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
    }

    func place(ofStored name: String) -> Int? {
        name.hasPrefix(prefix) ? place(of: String(name.dropFirst(prefix.count))) : nil
    }

    /// Hands a value to the store, unless no store could give it back as it is.
    private mutating func submit(_ stored: SettingValue?, at place: Int, _ effects: inout Effects) {
        guard isStored else { return }
        let name = slots[place].cell.storedName
        held[name] = nil
        slots[place].stored = stored
        if let fault = stored?.storageFault {
            held[name] = HeldWrite(value: stored, seen: record?.values[name])
            mayHaveSaveErrors = true
            slots[place].refusal = SettingsError(
                .unsupportedValue,
                "\(name) cannot be stored: it has \(fault); the stored value is still the one before"
            )
            effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
            return
        }
        pending.updateValue(stored, forKey: name)
        assigned += 1
    }

    mutating func note(_ place: Int, in effects: inout Effects) {
        slots[place].channel.bump(&effects.waiters)
        effects.keyPaths.append(slots[place].cell.keyPath)
    }

    mutating func startPump(_ effects: inout Effects) {
        guard !isPumping, !pending.isEmpty else { return }
        isPumping = true
        effects.startsPump = true
    }
}
