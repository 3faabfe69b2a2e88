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

    private struct Entry: Sendable {
        let deadline: ContinuousClock.Instant
        let id: UInt64
    }

    private var timers: [UInt64: Timer] = [:]
    private var heap: [Entry] = []
    private var lastID: UInt64 = 0

    init() {}

    var count: Int { timers.count }

    /// When the next one is due.
    var next: ContinuousClock.Instant? {
        mutating get {
            dropRemoved()
            return heap.first?.deadline
        }
    }

    mutating func add(_ timer: Timer) -> UInt64 {
        lastID += 1
        timers[lastID] = timer
        push(Entry(deadline: timer.deadline, id: lastID))
        return lastID
    }

    mutating func remove(_ id: UInt64) {
        guard timers.removeValue(forKey: id) != nil, heap.count > 64, heap.count > 2 * timers.count else { return }
        // Too many of the removed ones: built anew.
        heap = []
        for (id, timer) in timers { push(Entry(deadline: timer.deadline, id: id)) }
    }

    /// Takes the next one that is due, or may fire early since another is; a repeating one is due again later.
    mutating func popDue(_ now: ContinuousClock.Instant, sharing: Bool) -> Action? {
        dropRemoved()
        guard let first = heap.first, let timer = timers[first.id] else { return nil }
        guard timer.deadline <= now || sharing && timer.deadline - timer.leeway <= now else { return nil }
        popFirst()
        if let interval = timer.interval {
            let deadline = now + interval
            timers[first.id]?.deadline = deadline
            push(Entry(deadline: deadline, id: first.id))
        } else {
            timers[first.id] = nil
        }
        return timer.action
    }

    private mutating func dropRemoved() {
        while let first = heap.first, !timers.keys.contains(first.id) { popFirst() }
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].deadline < heap[parent].deadline else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func popFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child].deadline < heap[least].deadline { least = child }
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
