import HeapModule

/// When which printer is probed: a pure schedule.
///
/// Times are seconds on any monotonic clock.
///
/// One probe in flight for each printer, an interval with jitter, a second opinion soon after a first failure, a
/// back-off that doubles up to 15 minutes while it fails, and never more than four probes a minute for one printer,
/// whatever is asked for. Of many that are due at once some begin now and the others at the pace of the schedule, which
/// spreads them over their interval; what somebody waits for comes first.
struct ProbeSchedule<ID: Hashable & Sendable>: Sendable {
    static var perMinute: Int { 4 }
    static var longestBackOff: Double { 900 }
    static var secondOpinion: Double { 30 }

    /// How a probe ended.
    enum Outcome: Sendable {
        case success
        case failure
        /// The access code was refused: asking again soon would look like guessing it.
        case refused
    }

    private struct Entry {
        var interval: Double
        var failures = 0
        var last = Outcome.success
        var isInFlight = false
        var isWanted = false
        /// Off the schedule, and kept only because its probes still count: one in flight, or some of the last minute.
        var isRemoved = false
        var due: Double
        var starts: [Double] = []
        /// Who waits for the end of its probe, because it is the same camera under another name.
        var heir: ID?
    }

    private struct Appointment: Comparable {
        var time: Double
        var id: ID

        static func < (left: Self, right: Self) -> Bool { left.time < right.time }
        static func == (left: Self, right: Self) -> Bool { left.time == right.time }
    }

    /// How many probes begin at once, and how many more each second; nil is any number.
    private var pace: RateLimit?
    private var entries: [ID: Entry] = [:]
    /// May hold appointments that were moved; an entry's own `due` tells.
    private var heap = Heap<Appointment>()

    init(pace: RateLimit? = nil) { self.pace = pace }

    /// Puts a printer on the schedule, or changes its interval.
    mutating func set(_ id: ID, interval: Double, now: Double) {
        guard var entry = entries[id] else {
            entries[id] = Entry(interval: interval, due: now)
            return move(id, to: now)
        }
        let isBack = entry.isRemoved
        guard isBack || entry.interval != interval else { return }
        entry.interval = interval
        entry.isRemoved = false
        entries[id] = entry
        if isBack {
            entries[id]?.failures = 0
            entries[id]?.isWanted = entry.isInFlight
            if !entry.isInFlight { move(id, to: max(now, earliest(entry))) }
        } else if !entry.isInFlight && entry.due > now + interval {
            move(id, to: max(now + interval, earliest(entry)))
        }
    }

    /// Has the probes of a printer that was taken off count for another one: it is the same camera.
    mutating func succeed(_ former: ID, by id: ID) {
        guard let old = entries[former], old.isRemoved, var entry = entries[id], !entry.isInFlight else { return }
        entry.starts = Set(old.starts + entry.starts).sorted().suffix(Self.perMinute)
        entry.isInFlight = old.isInFlight
        entry.isWanted = old.isInFlight
        entries[id] = entry
        if old.isInFlight {
            entries[former]?.heir = id
        } else {
            move(id, to: max(entry.due, earliest(entry)))
        }
    }

    /// Takes a printer off the schedule.
    mutating func remove(_ id: ID) {
        guard let entry = entries[id], !entry.isRemoved else { return }
        guard entry.isInFlight || !entry.starts.isEmpty else {
            entries[id] = nil
            return
        }
        entries[id]?.isRemoved = true
        if !entry.isInFlight { move(id, to: forgettable(entry)) }
    }

    /// Probes as soon as the limits allow: something changed, or somebody asked.
    mutating func hasten(_ id: ID) {
        guard let entry = entries[id], !entry.isRemoved else { return }
        if entry.isInFlight {
            entries[id]?.isWanted = true
            return
        }
        // Before those that are merely due.
        let time = earliest(entry)
        if time < entry.due { move(id, to: time) }
    }

    /// Forgets the failures, because what failed is no longer what is probed.
    mutating func forgetFailures(_ id: ID) { entries[id]?.failures = 0 }

    /// The printers to probe now, at most `limit`; each is in flight from here on.
    mutating func start(now: Double, limit: Int) -> [ID] {
        var started: [ID] = []
        while started.count < limit, let next = heap.min, next.time <= now {
            guard var entry = entries[next.id], !entry.isInFlight, entry.due == next.time, !entry.isRemoved else {
                heap.removeMin()
                forget(next)
                continue
            }
            if pace?.allows(at: now) == false { break }
            heap.removeMin()
            entry.isInFlight = true
            entry.isWanted = false
            entry.starts = entry.starts.suffix(Self.perMinute - 1) + [now]
            entries[next.id] = entry
            started.append(next.id)
        }
        return started
    }

    /// When ``start(now:limit:)`` has something to do again; nil when there is nothing to wait for.
    var nextStart: Double? { heap.min.map { max($0.time, pace?.next ?? -.infinity) } }

    /// Takes a printer's probe out of flight and makes the next appointment.
    ///
    /// The jitter is -1 to 1; a twentieth of the delay is varied by it.
    mutating func finish(_ id: ID, _ outcome: Outcome, now: Double, jitter: Double) {
        guard var entry = entries[id] else { return }
        if let heir = entry.heir {
            entry.heir = nil
            entries[id] = entry
            finish(heir, .success, now: now, jitter: jitter)
        }
        entry.isInFlight = false
        entry.last = outcome
        entry.failures = outcome == .success ? 0 : entry.failures + 1
        entries[id] = entry
        if entry.isRemoved { return move(id, to: forgettable(entry)) }
        let next = now + delay(of: entry) * (1 + jitter / 20)
        move(id, to: entry.isWanted ? max(now, earliest(entry)) : max(next, earliest(entry)))
    }

    /// The longest time until the next probe of this printer ends, jitter and all.
    func longestDelay(_ id: ID) -> Double? { entries[id].map { delay(of: $0) * 1.05 } }

    /// A printer that was taken off leaves nothing once its probes no longer count.
    private mutating func forget(_ appointment: Appointment) {
        guard let entry = entries[appointment.id], entry.isRemoved, !entry.isInFlight, entry.due == appointment.time
        else { return }
        entries[appointment.id] = nil
    }

    private func delay(of entry: Entry) -> Double {
        if entry.failures == 1 && entry.last == .failure { return min(entry.interval, Self.secondOpinion) }
        let doubled = entry.interval * Double(1 << min(max(entry.failures - 1, 0), 10))
        return max(entry.interval, min(doubled, Self.longestBackOff))
    }

    private func earliest(_ entry: Entry) -> Double {
        entry.starts.count < Self.perMinute ? -.infinity : entry.starts[0] + 60
    }

    private func forgettable(_ entry: Entry) -> Double { (entry.starts.last ?? -.infinity) + 60 }

    private mutating func move(_ id: ID, to time: Double) {
        entries[id]?.due = time
        heap.insert(Appointment(time: time, id: id))
    }
}
