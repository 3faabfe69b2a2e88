import HeapModule

/// Timers in the order in which they are due: a heap, in which those that were removed stay until they come up.
struct TimerQueue<Action: Sendable>: Sendable {
    struct Timer: Sendable {
        var deadline: ContinuousClock.Instant
        /// How much earlier it may fire, together with others.
        var leeway: Duration = .zero
        /// Nil: once.
        var interval: Duration?
        var action: Action
    }

    private struct Entry: Sendable, Comparable {
        let deadline: ContinuousClock.Instant
        let id: UInt64

        static func < (left: Entry, right: Entry) -> Bool { left.deadline < right.deadline }
    }

    private var timers: [UInt64: Timer] = [:]
    private var heap = Heap<Entry>()
    private var lastID: UInt64 = 0

    init() {}

    var count: Int { timers.count }

    /// When the next one is due.
    var next: ContinuousClock.Instant? {
        mutating get {
            dropRemoved()
            return heap.min?.deadline
        }
    }

    mutating func add(_ timer: Timer) -> UInt64 {
        lastID += 1
        timers[lastID] = timer
        heap.insert(Entry(deadline: timer.deadline, id: lastID))
        return lastID
    }

    mutating func remove(_ id: UInt64) {
        guard timers.removeValue(forKey: id) != nil, heap.count > 64, heap.count > 2 * timers.count else { return }
        // Too many of the removed ones: built anew.
        heap = Heap(timers.map { Entry(deadline: $1.deadline, id: $0) })
    }

    /// Takes the next one that is due, or may fire early since another is; a repeating one is due again later.
    mutating func popDue(_ now: ContinuousClock.Instant, sharing: Bool) -> Action? {
        dropRemoved()
        guard let first = heap.min, let timer = timers[first.id] else { return nil }
        guard timer.deadline <= now || sharing && timer.deadline - timer.leeway <= now else { return nil }
        heap.removeMin()
        if let interval = timer.interval {
            let deadline = now + interval
            timers[first.id]?.deadline = deadline
            heap.insert(Entry(deadline: deadline, id: first.id))
        } else {
            timers[first.id] = nil
        }
        return timer.action
    }

    private mutating func dropRemoved() {
        while let first = heap.min, !timers.keys.contains(first.id) { heap.removeMin() }
    }
}
