import Synchronization

/// Limits the streams of one kind that are open, so that connections are left for other requests, such as `/health`.
package final class StreamLimit: Sendable {
    /// The right to one stream; it ends with the last reference.
    final class Place: Sendable {
        private let limit: StreamLimit

        fileprivate init(_ limit: StreamLimit) { self.limit = limit }

        deinit { limit.open.withLock { $0 -= 1 } }
    }

    private let limit: Int
    private let open = Mutex(0)

    package init(_ limit: Int) { self.limit = limit }

    /// Takes the place of one more stream; nil if all are taken.
    func place() -> Place? {
        let isFree = open.withLock { open in
            guard open < limit else { return false }
            open += 1
            return true
        }
        return isFree ? Place(self) : nil
    }
}
