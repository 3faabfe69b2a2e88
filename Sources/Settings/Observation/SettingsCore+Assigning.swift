extension SettingsCore.State {
    /// Lets `exchange` put a value in place; the observers of this setting are left to the caller.
    ///
    /// - Parameters:
    ///   - place: The setting's.
    ///   - revision: The one that the new value was made of, if it was made of one.
    ///   - exchange: Tells what it meant.
    /// - Returns: What `exchange` told, nil if another value came between; and what is to be done outside the lock.
    mutating func assign(at place: Int, after revision: Int?, _ exchange: () -> Exchange) -> (Exchange?, Effects?) {
        if let revision, !slots[place].revision.isCurrent(since: revision) { return (nil, nil) }
        let exchange = exchange()
        let isNew = isStored && slots[place].isNews(exchange)
        let concernsAnybody = slots[place].note(exchange)
        if exchange == .different { whole.count() }
        // Most assignments to a model in memory cause nothing more.
        guard isStored || concernsAnybody || whole.hasWaiters else { return (exchange, nil) }
        return (exchange, effects(of: exchange, isNew: isNew, at: place))
    }

    private mutating func effects(of exchange: Exchange, isNew: Bool, at place: Int) -> Effects {
        var effects = Effects()
        if exchange == .different { effects.waiters = slots[place].channel.takeAll() + whole.takeAll() }
        clearErrors(at: place, &effects)
        if isNew { submit(slots[place].cell.stored, at: place, in: nil, &effects) }
        startPump(&effects)
        return effects
    }

    /// A value that is not taken: the one before stays.
    mutating func refuse(_ error: SettingsError, at place: Int) -> Effects {
        var effects = Effects()
        slots[place].refusal = error
        effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
        return effects
    }

    /// Takes assignments together.
    ///
    /// - Parameters:
    ///   - changes: What is assigned, by name.
    ///   - revisions: Those that values were made of, by place.
    /// - Returns: What is to be done outside the lock; nil if another value came between, and nothing was done.
    mutating func assign(_ changes: [String: Assignment], after revisions: [Int: Int] = [:]) -> Effects? {
        guard revisions.allSatisfy({ slots[$0.key].revision.isCurrent(since: $0.value) }) else { return nil }
        var effects = Effects()
        let group = changes.count > 1 ? newID() : nil
        for (name, assignment) in changes {
            guard let place = places[name] else { continue }
            put(assignment, at: place, in: group, &effects)
        }
        conclude(&effects)
        return effects
    }

    /// Takes settings back to their defaults at once; one that the store does not give away holds up no other.
    mutating func reset(_ places: some Sequence<Int>) -> Effects {
        var effects = Effects()
        for place in places { put(.reset, at: place, in: nil, &effects) }
        conclude(&effects)
        return effects
    }

    private mutating func put(_ assignment: Assignment, at place: Int, in group: Int?, _ effects: inout Effects) {
        let (wasPresent, didNotFit) = (slots[place].isPresent, slots[place].loadError != nil)
        let exchange = slots[place].take(assignment)
        if exchange == .different { note(place, in: &effects) }
        if didNotFit { effects.keyPaths.append(SettingsCore.loadErrorKeyPath) }
        clearSaveError(at: place, &effects)
        guard let stored = assignment.stored else { return remove(place, in: group, &effects) }
        if exchange != .same || !wasPresent || didNotFit { submit(stored, at: place, in: group, &effects) }
    }

    private mutating func clearErrors(at place: Int, _ effects: inout Effects) {
        clearSaveError(at: place, &effects)
        guard slots[place].loadError != nil else { return }
        slots[place].loadError = nil
        effects.keyPaths.append(SettingsCore.loadErrorKeyPath)
    }

    /// Removes what is stored of a setting, under all its names.
    private mutating func remove(_ place: Int, in group: Int?, _ effects: inout Effects) {
        submit(nil, at: place, in: group, &effects)
        guard isStored else { return }
        // A former name may meanwhile be that of another setting.
        for former in slots[place].cell.formerNames where self.place(ofStored: former) == nil {
            pending.updateValue(nil, forKey: former)
            groups[former] = group
        }
    }

    func place(ofStored name: String) -> Int? {
        name.hasPrefix(prefix) ? places[String(name.dropFirst(prefix.count))] : nil
    }

    /// Hands a value to the store, unless no store could give it back as it is.
    private mutating func submit(_ stored: StoredValue?, at place: Int, in group: Int?, _ effects: inout Effects) {
        guard isStored else { return }
        let name = slots[place].cell.storedName
        if let hold = held.removeValue(forKey: name), let group = hold.group {
            retryHeld { $0.group == group }
        }
        if let fault = stored?.storageFault {
            held[name] = HeldWrite(value: stored, group: nil, seen: record?.values[name])
            slots[place].refusal = SettingsError(unstorable: name, fault)
            effects.keyPaths.append(SettingsCore.saveErrorKeyPath)
            return
        }
        pending.updateValue(stored, forKey: name)
        if group != nil || !groups.isEmpty { groups[name] = group }
        assigned += 1
    }
}
