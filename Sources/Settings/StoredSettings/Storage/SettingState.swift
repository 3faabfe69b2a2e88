import Platform

/// The state of one setting besides its value.
struct SettingState {
    struct SaveFault {
        let error: SettingsError
        /// Whether the store refused the value; the next commit offers it again.
        var isRefusedByStore = false
        var isThrown = false
    }

    let cell: any AnyCell
    var revision = Revision()
    /// Whether a value was set and not reset; it may equal the default.
    var isSet = false
    /// The value in force as last read from the store or written to it.
    var stored: JSONValue?
    /// The stored value that could not be read; it is kept beside the next value that is assigned.
    var unread: JSONValue?
    var loadError: SettingsError?
    var saveFault: SaveFault?
    /// Whether the last write does not come from an assignment, but moves the stored value to the setting's name.
    var isMove = false

    var error: SettingsError? { saveFault?.error ?? loadError }

    mutating func restore(_ value: DecodedValue) {
        isSet = value.stored != nil
        stored = value.stored
        unread = value.unread
        loadError = value.error
        value.put()
        revision.advance()
    }
}

/// How often a value was put in place, and by which thread last.
///
/// `update` runs again if another thread assigned meanwhile. Assignments of its own body, on its own thread, do not count.
struct Revision {
    private(set) var number = 0
    private var thread: UInt = 0

    mutating func advance() {
        number += 1
        thread = currentThread()
    }

    func isCurrent(since number: Int) -> Bool { self.number == number || thread == currentThread() }
}
