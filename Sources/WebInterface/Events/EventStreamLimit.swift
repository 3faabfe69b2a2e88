import Synchronization

/// Limits the event streams that are open, so that connections are left for other requests, such as `/health`.
final class EventStreamLimit: Sendable {
    /// The right to one event stream; it ends with the last reference.
    final class Place: Sendable {
        private let limit: EventStreamLimit

        fileprivate init(_ limit: EventStreamLimit) { self.limit = limit }

        deinit { limit.open.withLock { $0 -= 1 } }
    }

    /// How many may be open at once; each takes one of the ``ConnectionLimits/connections``.
    static let streams = ConnectionLimits.connections * 3 / 4

    private let open = Mutex(0)

    /// A place for one more stream; nil if there is none.
    func place() -> Place? {
        let isFree = open.withLock { open in
            guard open < Self.streams else { return false }
            open += 1
            return true
        }
        return isFree ? Place(self) : nil
    }
}
