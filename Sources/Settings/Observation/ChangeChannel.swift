/// Who waits for the next change of one thing, and how often it has changed.
///
/// A value type inside the lock of its owner. Readers pull: each remembers the version that it saw last, looks at the
/// current value, and waits only when there is nothing newer. So a slow reader gets the newest value, the last one is
/// never lost, and nothing is buffered.
struct ChangeChannel {
    typealias Waiter = AsyncStream<Void>.Continuation

    private(set) var version = 1
    private(set) var waiters: [Int: Waiter] = [:]

    /// Counts a change; the waiters are to be woken outside the lock.
    mutating func count() { version += 1 }

    /// Counts a change, and gives the waiters.
    mutating func bump(_ woken: inout [Waiter]) {
        count()
        if !waiters.isEmpty { woken += waiters.values }
    }

    mutating func add(_ waiter: Waiter, id: Int) { waiters[id] = waiter }

    mutating func remove(id: Int) { waiters[id] = nil }
}
