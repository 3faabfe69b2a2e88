import HeapModule
package import Printers

/// When which printer is probed: a pure schedule.
///
/// Times are seconds on any monotonic clock.
///
/// A camera has one probe in flight, and at most four probes a minute. The interval has jitter. After a first failure the
/// next probe comes early; further failures double the delay, up to 15 minutes. A camera is known by its endpoint; if
/// ``CameraGate`` refuses a probe, the probe is postponed. Many due probes start at `pace`, requested probes first.
package struct ProbeSchedule: Sendable {
    package static let longestBackOff = 900.0
    static let secondOpinion = 30.0

    /// How a probe ended.
    package enum Outcome: Sendable {
        case success
        case failure
        /// The access code was refused, or withheld: asking again soon changes nothing, and would look like guessing it.
        case refused
    }

    private struct Entry {
        var camera: String
        var interval: Double
        var failures = 0
        var last = Outcome.success
        /// Never, while its probe is in flight or waits for the end of another one.
        var due = Double.infinity
        /// Seconds between two pictures; nil takes none unasked.
        var pictureInterval: Double?
        /// From when on a probe takes a picture.
        var nextPicture = Double.infinity
        /// Of this printer, wherever its camera was.
        var limit = SlidingWindowLimit()
    }

    private struct Camera {
        var limit = SlidingWindowLimit()
        var isBusy = false
        /// The printers that wait for the camera.
        var waiting: Set<PrinterID> = []

        /// Ends the probe, and returns the printers that waited for it.
        mutating func end() -> Set<PrinterID> {
            defer { (isBusy, waiting) = (false, []) }
            return waiting
        }
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
    /// By endpoint; they outlive their printers for a minute, since their probes still count.
    private var cameras: [String: Camera] = [:]
    /// The cameras that are being probed, by printer.
    private var inFlight: [PrinterID: String] = [:]
    /// May hold appointments that were moved; an entry's own `due` tells.
    private var heap = Heap<Appointment>()

    package init(pace: RateLimit? = nil) { self.pace = pace }

    /// Puts a printer with the camera at an endpoint on the schedule, or changes its camera or its interval.
    package mutating func set(_ id: PrinterID, camera: String, interval: Double, now: Double) {
        guard var entry = entries[id] else {
            entries[id] = Entry(camera: camera, interval: interval)
            return reschedule(id, from: now)
        }
        let isSooner = interval != entry.interval && entry.due > now + interval && entry.due < .infinity
        entry.camera = camera
        entry.interval = interval
        entries[id] = entry
        if isSooner { reschedule(id, from: now + interval) }
    }

    /// Takes a printer off the schedule.
    package mutating func remove(_ id: PrinterID) { entries[id] = nil }

    /// Probes as soon as the limits allow: a setting changed, or a request came.
    package mutating func probeSoon(_ id: PrinterID) {
        guard let entry = entries[id] else { return }
        // Before those that are merely due.
        if inFlight[id] != nil || earliest(entry) < entry.due { reschedule(id, from: -.infinity) }
    }

    /// Takes a picture at an interval, the first one soon; nil takes none unasked.
    mutating func setPictureInterval(_ id: PrinterID, _ interval: Double?, now: Double) {
        guard let entry = entries[id], entry.pictureInterval != interval else { return }
        entries[id]?.pictureInterval = interval
        entries[id]?.nextPicture = interval == nil ? .infinity : now
        if interval != nil, inFlight[id] == nil, entry.due > now { reschedule(id, from: now) }
    }

    /// Takes a picture on request, as soon as the limits allow.
    mutating func requestPicture(_ id: PrinterID) {
        entries[id]?.nextPicture = -.infinity
        probeSoon(id)
    }

    /// Whether a probe that begins now takes a picture.
    func takesPicture(_ id: PrinterID, now: Double) -> Bool {
        guard let entry = entries[id] else { return false }
        // A little early rather than by another connection a moment later.
        return entry.nextPicture <= now + (entry.pictureInterval ?? 0) / 10
    }

    /// Forgets the failures, because what failed is no longer what is probed.
    mutating func forgetFailures(_ id: PrinterID) { entries[id]?.failures = 0 }

    /// The printers to probe now, at most `limit`; each is in flight from here on.
    package mutating func start(now: Double, limit: Int) -> [PrinterID] {
        forgetCameras(at: now)
        var started: [PrinterID] = []
        while started.count < limit, let next = heap.min, next.time <= now {
            let (id, entry) = (next.id, entries[next.id])
            guard let entry, entry.due == next.time else {
                heap.removeMin()
                continue
            }
            if cameras[entry.camera]?.isBusy == true || earliest(entry) > now {
                heap.removeMin()
                reschedule(id, from: now)
                continue
            }
            if pace?.allows(at: now) == false { break }
            heap.removeMin()
            entries[id]?.due = .infinity
            entries[id]?.limit.use(at: now)
            cameras[entry.camera, default: Camera()].limit.use(at: now)
            cameras[entry.camera]?.isBusy = true
            inFlight[id] = entry.camera
            started.append(id)
        }
        return started
    }

    /// When ``start(now:limit:)`` has something to do again; nil when there is nothing to wait for.
    package var nextStart: Double? { heap.min.map { max($0.time, pace?.next ?? -.infinity) } }

    /// Takes a printer's probe out of flight and makes the next appointment.
    ///
    /// The jitter is -1 to 1; a twentieth of the delay is varied by it. A picture that was asked for and failed is not tried
    /// again; one that is due is taken by the next probe that succeeds.
    package mutating func finish(
        _ id: PrinterID,
        _ outcome: Outcome,
        tookPicture: Bool = false,
        now: Double,
        jitter: Double
    ) {
        guard let camera = inFlight.removeValue(forKey: id) else { return }
        let waiting = cameras[camera]?.end() ?? []
        if var entry = entries[id] {
            entry.last = outcome
            entry.failures = outcome == .success ? 0 : entry.failures + 1
            if tookPicture, outcome == .success || entry.pictureInterval == nil {
                entry.nextPicture = entry.pictureInterval.map { now + $0 } ?? .infinity
            }
            entries[id] = entry
            let next = now + delay(of: entry) * (1 + jitter / 20)
            if !waiting.contains(id) { reschedule(id, from: outcome == .success ? min(next, entry.nextPicture) : next) }
        }
        for id in waiting where entries[id] != nil { reschedule(id, from: now) }
    }

    /// Takes a printer's probe, which connected to nothing, out of flight; it begins again at a later time.
    mutating func postpone(_ id: PrinterID, until time: Double, now: Double) {
        guard let camera = inFlight.removeValue(forKey: id) else { return }
        entries[id]?.limit.giveBack()
        cameras[camera]?.limit.giveBack()
        let waiting = cameras[camera]?.end() ?? []
        // The printer may have another address by now, whose camera may be free.
        if entries[id] != nil, !waiting.contains(id) { reschedule(id, from: time) }
        for id in waiting where entries[id] != nil { reschedule(id, from: now) }
    }

    /// The longest time from now until the next probe of this printer, jitter and all.
    func longestDelay(_ id: PrinterID, now: Double) -> Double? {
        entries[id].map { max(delay(of: $0) * 1.05, $0.due < .infinity ? $0.due - now : 0) }
    }

    /// Makes an appointment for the first moment that the limits allow.
    private mutating func reschedule(_ id: PrinterID, from time: Double) {
        guard let entry = entries[id] else { return }
        let busy = inFlight[id] ?? (cameras[entry.camera]?.isBusy == true ? entry.camera : nil)
        if let busy {
            entries[id]?.due = .infinity
            cameras[busy]?.waiting.insert(id)
        } else {
            let due = max(time, earliest(entry))
            entries[id]?.due = due
            heap.insert(Appointment(time: due, id: id))
        }
    }

    private func earliest(_ entry: Entry) -> Double {
        max(entry.limit.next, cameras[entry.camera]?.limit.next ?? -.infinity)
    }

    private func delay(of entry: Entry) -> Double {
        if entry.failures == 1 && entry.last == .failure { return min(entry.interval, Self.secondOpinion) }
        let doubled = entry.interval * Double(1 << min(max(entry.failures - 1, 0), 10))
        return max(entry.interval, min(doubled, Self.longestBackOff))
    }

    private mutating func forgetCameras(at now: Double) {
        guard cameras.count > 2 * entries.count + 16 else { return }
        cameras = cameras.filter {
            $0.value.isBusy || !$0.value.limit.starts(after: now - SlidingWindowLimit.window).isEmpty
        }
    }
}
