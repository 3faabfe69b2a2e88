import HeapModule
package import Platform
package import Printers

/// When each printer is probed: a pure schedule.
///
/// Times are seconds on any monotonic clock.
///
/// A printer has one probe in flight. The interval has jitter. After a first failure the next probe comes early; further
/// failures double the delay, up to 15 minutes. A probe that ``CameraGate`` refuses is postponed for as long as the gate says.
/// If many probes are due, they start at `pace`, requested ones first.
package struct ProbeSchedule: Sendable {
    package static let longestBackOff = 900.0
    static let secondOpinion = 30.0
    /// Seconds without announcements after which a printer may have been switched off.
    static let silence = 60.0
    /// Seconds that a printer may need to start.
    static let startUp = 300.0

    package enum Outcome: Sendable {
        case success
        case failure
        /// The access code was refused, or withheld: asking again soon changes nothing, and would look like guessing it.
        case refused
    }

    private struct Entry {
        var interval: Double
        var failures = 0
        var ended = -Double.infinity
        var heard = -Double.infinity
        /// When it announced itself for the first time after a silence.
        var returned = -Double.infinity
        var last = Outcome.success
        /// Never while its probe is in flight.
        var due = Double.infinity
        /// When the gate allows a probe again.
        var earliest = -Double.infinity
        /// Whether the next probe begins as soon as the one in flight has ended.
        var isWanted = false
        /// Seconds between two pictures; nil takes none unasked.
        var pictureInterval: Double?
        /// From when on a probe takes a picture.
        var nextPicture = Double.infinity
    }

    private struct Appointment: Comparable {
        var time: Double
        var id: PrinterID

        static func < (left: Self, right: Self) -> Bool { left.time < right.time }
        static func == (left: Self, right: Self) -> Bool { left.time == right.time }
    }

    /// How many probes begin at once, and how many more each second; nil is any number.
    private var pace: RateLimit?
    private var entries: [PrinterID: Entry] = [:]
    /// Printers that left the schedule stay here until their probe ends.
    private var inFlight: Set<PrinterID> = []
    /// May have outdated appointments: only the one at an entry's `due` is valid.
    private var heap = Heap<Appointment>()

    package init(pace: RateLimit? = nil) { self.pace = pace }

    package mutating func set(_ id: PrinterID, interval: Double, now: Double) {
        guard let entry = entries[id] else {
            entries[id] = Entry(interval: interval)
            return reschedule(id, from: now)
        }
        let isSooner = interval != entry.interval && entry.due > now + interval && entry.due < .infinity
        entries[id]?.interval = interval
        if isSooner { reschedule(id, from: now + interval) }
    }

    package mutating func remove(_ id: PrinterID) { entries[id] = nil }

    /// Probes as soon as the limits allow, perhaps for a picture: a setting changed, or a request came.
    package mutating func probeSoon(_ id: PrinterID, takesPicture: Bool = false) {
        if takesPicture { entries[id]?.nextPicture = -.infinity }
        guard let entry = entries[id] else { return }
        // Before those that are merely due.
        if inFlight.contains(id) || entry.earliest < entry.due { reschedule(id, from: -.infinity) }
    }

    /// Records an announcement from the printer's address.
    ///
    /// A printer that is heard after a silence was probably switched on. While it starts, probes that fail are only half a minute
    /// apart. After a refused access code the printer's return changes nothing.
    package mutating func heard(_ id: PrinterID, now: Double) {
        guard var entry = entries[id] else { return }
        if now - entry.heard > Self.silence { entry.returned = now }
        entry.heard = now
        entries[id] = entry
        let next = max(now, entry.ended + Self.secondOpinion)
        let isFailing = entry.failures > 0 && entry.last == .failure
        if isFailing, now < entry.returned + Self.startUp, next < entry.due, entry.due < .infinity {
            reschedule(id, from: next)
        }
    }

    /// Takes a picture at an interval, the first one soon; nil takes none unasked.
    mutating func setPictureInterval(_ id: PrinterID, _ interval: Double?, now: Double) {
        guard let entry = entries[id], entry.pictureInterval != interval else { return }
        entries[id]?.pictureInterval = interval
        entries[id]?.nextPicture = interval == nil ? .infinity : now
        if interval != nil, !inFlight.contains(id), entry.due > now { reschedule(id, from: now) }
    }

    func takesPicture(_ id: PrinterID, now: Double) -> Bool {
        guard let entry = entries[id] else { return false }
        // A little early, so that the picture needs no other connection a moment later.
        return entry.nextPicture <= now + (entry.pictureInterval ?? 0) / 10
    }

    /// Forgets failures and the gate's answer, because the next probe has other settings.
    mutating func forgetFailures(_ id: PrinterID) {
        entries[id]?.failures = 0
        entries[id]?.earliest = -.infinity
    }

    /// The printers to probe now, at most `limit`; each is in flight from here on.
    package mutating func start(now: Double, limit: Int) -> [PrinterID] {
        var started: [PrinterID] = []
        while started.count < limit, let next = heap.min, next.time <= now {
            let id = next.id
            guard entries[id]?.due == next.time else {
                heap.removeMin()
                continue
            }
            if pace?.allows(at: now) == false { break }
            heap.removeMin()
            entries[id]?.due = .infinity
            entries[id]?.earliest = -.infinity
            inFlight.insert(id)
            started.append(id)
        }
        return started
    }

    /// When ``start(now:limit:)`` has something to do again; nil when there is nothing to wait for.
    package var nextStart: Double? { heap.min.map { max($0.time, pace?.next ?? -.infinity) } }

    /// Takes a printer's probe out of flight and makes the next appointment.
    ///
    /// `jitter`, from -1 to 1, varies the delay by up to a twentieth. A picture that failed is not tried again without
    /// a picture interval; with one, each probe tries it again until a probe succeeds.
    package mutating func finish(
        _ id: PrinterID,
        _ outcome: Outcome,
        tookPicture: Bool = false,
        now: Double,
        jitter: Double
    ) {
        guard inFlight.remove(id) != nil, var entry = entries[id] else { return }
        entry.last = outcome
        entry.ended = now
        entry.failures = outcome == .success ? 0 : entry.failures + 1
        if tookPicture, outcome == .success || entry.pictureInterval == nil {
            entry.nextPicture = entry.pictureInterval.map { now + $0 } ?? .infinity
        }
        entries[id] = entry
        let next = now + delay(of: entry) * (1 + jitter / 20)
        reschedule(id, from: entry.isWanted ? now : outcome == .success ? min(next, entry.nextPicture) : next)
    }

    /// Takes a printer's probe, which connected to nothing, out of flight; it begins again at a later time.
    package mutating func postpone(_ id: PrinterID, until time: Double, now: Double) {
        guard inFlight.remove(id) != nil, let entry = entries[id] else { return }
        // If a probe was asked for meanwhile, the printer may have another address by now.
        if !entry.isWanted { entries[id]?.earliest = time }
        reschedule(id, from: now)
    }

    /// The longest time from now until the next probe of this printer, with jitter and the limit.
    func longestDelay(_ id: PrinterID, now: Double) -> Double? {
        entries[id].map { max(delay(of: $0) * 1.05, CameraHistory.window, $0.due < .infinity ? $0.due - now : 0) }
    }

    /// Makes an appointment for the first moment that the gate may allow.
    private mutating func reschedule(_ id: PrinterID, from time: Double) {
        guard var entry = entries[id] else { return }
        entry.isWanted = inFlight.contains(id)
        entry.due = entry.isWanted ? .infinity : max(time, entry.earliest)
        entries[id] = entry
        if !entry.isWanted { heap.insert(Appointment(time: entry.due, id: id)) }
    }

    private func delay(of entry: Entry) -> Double {
        if entry.failures == 1 && entry.last == .failure { return min(entry.interval, Self.secondOpinion) }
        let doubled = entry.interval * Double(1 << min(max(entry.failures - 1, 0), 10))
        return max(entry.interval, min(doubled, Self.longestBackOff))
    }
}
