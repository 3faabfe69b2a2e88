/// What a model knows of one setting besides its value.
struct Slot {
    struct SaveFault {
        let error: SettingsError
        /// Whether the store refused the value, which the next commit offers again.
        var isRefusedByStore = false
        var isThrown = false
    }

    let cell: any AnyCell
    var revision = Revision()
    /// Whether a value was set and not reset, also if it equals the default.
    var isSet = false
    /// The value in force as it was last read from the store or handed to it; nil where nothing is stored.
    var stored: SettingValue?
    var loadError: SettingsError?
    var saveFault: SaveFault?

    var error: SettingsError? { saveFault?.error ?? loadError }

    mutating func restore(_ stored: SettingValue?, _ decoded: DecodedValue) {
        isSet = stored != nil
        self.stored = stored
        loadError = decoded.error
        decoded.put()
        revision.advance()
    }
}

/// How often a value was put in place, and by which thread last.
///
/// `update` runs again if another thread assigned meanwhile. What its own body assigns must not count, or it would never
/// end; a body runs on one thread.
struct Revision {
    private(set) var number = 0
    private var thread: UInt = 0

    mutating func advance() {
        number += 1
        thread = currentThread()
    }

    /// Whether no other thread's assignment is the last since then.
    func isCurrent(since number: Int) -> Bool { self.number == number || thread == currentThread() }
}
