/// Who waits for the next change of one thing, and how often it has changed.
///
/// A value type inside the lock of its owner. Readers pull: each remembers the version that it saw last, looks at the
/// current value, and waits only when there is nothing newer. So a slow reader gets the newest value, the last one is
/// never lost, and nothing is buffered.
struct ChangeChannel {
    typealias Waiter = CheckedContinuation<Void, Never>

    private(set) var version = 1
    private var waiters: [Int: Waiter] = [:]

    var hasWaiters: Bool { !waiters.isEmpty }

    /// Counts a change; the waiters are to be taken, and resumed outside the lock.
    mutating func count() { version += 1 }

    /// Counts a change and takes the waiters.
    mutating func bump(_ woken: inout [Waiter]) {
        count()
        if hasWaiters { woken += takeAll() }
    }

    mutating func takeAll() -> [Waiter] {
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    mutating func add(_ waiter: Waiter, id: Int) { waiters[id] = waiter }

    mutating func remove(id: Int) -> Waiter? { waiters.removeValue(forKey: id) }
}
