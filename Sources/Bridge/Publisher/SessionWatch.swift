import MQTT

/// The session with the broker, as far as publishing depends on it: a state machine.
///
/// A new session waits before the first publish, and whatever ends it meanwhile ends the waiting too.
struct SessionWatch: Sendable {
    /// Which session this is; another one after each coming and going of the broker.
    private(set) var number = 0
    /// Whether the broker has, or is getting, what is rendered.
    private(set) var isOpen = false
    private var isAbsenceTold = false

    /// The broker let us in.
    ///
    /// - Returns: The number of the new session, for ``open(_:)``.
    mutating func begin() -> Int {
        number += 1
        isAbsenceTold = false
        return number
    }

    /// Opens a session for publishing, unless it is over.
    mutating func open(_ number: Int) -> Bool {
        guard number == self.number else { return false }
        isOpen = true
        return true
    }

    /// The broker is gone, or was not there.
    ///
    /// - Returns: Whether people should be told: once until it is there again, as for the client it is nothing that has to
    ///   be done something about.
    mutating func end(_ code: MQTTDisconnectReason.Code) -> Bool {
        number += 1
        isOpen = false
        guard [.unreachable, .nameNotResolved, .timeout].contains(code), !isAbsenceTold else { return false }
        isAbsenceTold = true
        return true
    }

    /// Nothing is published any more.
    mutating func close() { isOpen = false }
}
