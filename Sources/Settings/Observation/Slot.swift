/// What a core knows of one setting besides its value; guarded by the core's lock.
struct Slot {
    let cell: any AnyCell
    var channel = ChangeChannel()
    /// Whether there is a value to store, be it that of the default.
    var isPresent = false
    var loadError: SettingsError?
    var saveError: SettingsError?

    init(_ cell: any AnyCell) { self.cell = cell }

    /// Takes a stored value, and tells whether the value changed.
    mutating func restore(_ stored: StoredValue?) -> Bool {
        isPresent = stored != nil
        let (isChanged, error) = cell.restore(stored)
        loadError = error
        return isChanged
    }
}
