/// What a core knows of one setting besides its value; guarded by the core's lock.
struct Slot {
    let cell: any AnyCell
    var channel = ChangeChannel()
    /// How often a value was put in place.
    var revision = Revision()
    /// Whether there is a value to store, be it that of the default.
    var isPresent = false
    var loadError: SettingsError?
    /// Why the last value given to it was not taken, or cannot be stored by any store.
    var refusal: SettingsError?
    /// Why its store does not take the value.
    var storeRefusal: SettingsError?

    init(_ cell: any AnyCell) { self.cell = cell }

    var saveError: SettingsError? { refusal ?? storeRefusal }

    /// Takes that a value was assigned, and tells whether that concerns anybody: one who waits, or who was told of a refusal.
    ///
    /// In one go, because nothing else makes up the cost of a write to a model in memory.
    mutating func note(_ exchange: Exchange) -> Bool {
        isPresent = true
        if exchange != .same { revision.advance() }
        if exchange == .different { channel.count() }
        return channel.hasWaiters || refusal != nil || storeRefusal != nil
    }

    /// Whether an assignment is to be stored: an equal value is when nothing is, or nothing that fits, because what was set and
    /// what was not are not the same.
    func isNews(_ exchange: Exchange) -> Bool { exchange != .same || !isPresent || loadError != nil }

    /// Takes a stored value, and tells whether the value changed.
    mutating func restore(_ stored: StoredValue?) -> Exchange {
        isPresent = stored != nil
        let (exchange, error) = cell.restore(stored)
        loadError = error
        if exchange == .different { revision.advance() }
        return exchange
    }

    /// Takes what was assigned together with others.
    mutating func take(_ assignment: Assignment) -> Exchange {
        guard let value = assignment.value, let exchange = cell.take(value) else { return restore(assignment.stored) }
        isPresent = true
        loadError = nil
        if exchange != .same { revision.advance() }
        return exchange
    }
}

/// A value that is given to a setting together with others.
struct Assignment: Sendable {
    /// As it is stored; nil takes the setting back to its default and removes what is stored.
    let stored: StoredValue?
    /// As it was given, where its type was known.
    var value: (any Sendable)?

    /// Back to the default.
    static let reset = Assignment(stored: nil)
}
