/// What a core knows of one setting besides its value; guarded by the core's lock.
struct Slot {
    let cell: any AnyCell
    var channel = ChangeChannel()
    /// How often a value was put in place.
    var revision = Revision()
    /// Whether there is a value to store, be it that of the default.
    var isPresent = false
    /// The value in force as it was last handed to the store, or read from it; nil where nothing is stored.
    var stored: SettingValue?
    var loadError: SettingsError?
    /// Why the last value given to the setting was not taken, or cannot be stored by any store.
    var refusal: SettingsError?
    /// Whether a commit has thrown the refusal: a value that was not taken keeps no later commit from succeeding.
    var isRefusalThrown = false
    /// Why the store does not take the value.
    var storeRefusal: SettingsError?

    init(_ cell: any AnyCell) { self.cell = cell }

    var saveError: SettingsError? { refusal ?? storeRefusal }

    /// Notes that a value was assigned, and tells whether that concerns anybody: a reader that waits, or an error.
    mutating func note(isDifferent: Bool) -> Bool {
        isPresent = true
        revision.advance()
        if isDifferent { channel.count() }
        return !channel.waiters.isEmpty || refusal != nil || storeRefusal != nil
    }

    /// Whether an assigned value has to be stored: an equal one has where nothing is stored, or nothing that fits.
    func isNews(_ newStored: SettingValue) -> Bool {
        loadError != nil || !newStored.isIdentical(to: stored)
    }

    /// Takes a value from the store, and tells whether the value in force changed.
    mutating func restore(_ stored: SettingValue?, _ decoded: DecodedValue) -> Bool {
        isPresent = stored != nil
        self.stored = stored
        loadError = decoded.error
        guard decoded.put() else { return false }
        revision.advance()
        return true
    }
}
