/// The session with the broker, as far as publishing depends on it.
///
/// A new session waits before the first publish, and a loss meanwhile ends the waiting too.
struct SessionState: Sendable {
    /// Counts the beginnings and ends of sessions.
    private(set) var number = 0
    /// Whether the broker has, or is getting, what is rendered.
    private(set) var isOpen = false

    /// The broker accepted the client.
    ///
    /// - Returns: The number of the new session, for ``open(_:)``.
    mutating func begin() -> Int {
        number += 1
        return number
    }

    /// Opens a session for publishing, unless it is over.
    mutating func open(_ number: Int) -> Bool {
        guard number == self.number else { return false }
        isOpen = true
        return true
    }

    /// The connection is lost, or could not be made.
    mutating func end() {
        number += 1
        isOpen = false
    }

    /// Nothing is published any more.
    mutating func close() { isOpen = false }
}
