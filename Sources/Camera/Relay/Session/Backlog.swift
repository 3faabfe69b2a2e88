/// How much a viewer has not read yet, and since when it reads nothing: a value; times are seconds on any monotonic clock.
struct Backlog: Sendable {
    /// Bytes of live video that may be unread; beyond them a viewer loses packets up to the next key frame.
    static let limit = 4 << 20
    /// Seconds without reading after which a viewer is disconnected.
    static let timeout = 30.0

    private let timeout: Double
    private var allowance = limit
    private var written = 0
    private var taken = 0
    private var takenAt: Double

    init(at now: Double, timeout: Double = timeout) { (takenAt, self.timeout) = (now, timeout) }

    /// Notes the bytes that were written, and those that wait.
    mutating func note(written more: Int, pending: Int, isBurst: Bool = false, at now: Double) {
        // The time without anything to read does not count.
        if written == taken { takenAt = now }
        written += more
        if isBurst { allowance = pending + Self.limit } else if pending < Self.limit { allowance = Self.limit }
        if pending == 0 || written - pending > taken { (taken, takenAt) = (written - pending, now) }
    }

    func admits(_ bytes: Int, pending: Int) -> Bool { pending + bytes <= allowance }

    /// Whether so little is unread that a viewer who lost packets can be shown the next key frame.
    func admitsBurst(pending: Int) -> Bool { pending <= Self.limit / 4 }

    func isStalled(at now: Double) -> Bool { written > taken && now - takenAt >= timeout }
}
