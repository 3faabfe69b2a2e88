/// How long a client waits between two attempts to connect.
///
/// An accepted connection makes the next pause short. After a loss, attempts follow each other within a second for
/// ``urgentPeriod``, so that a will with a delay is not published for a short interruption.
struct Backoff: Sendable {
    /// The longest pause after another client has taken the session over.
    static let takeoverLimit = Duration.seconds(60)
    /// A connection that ends sooner than this counts as unstable.
    static let stableAfter = Duration.seconds(2)
    /// As many unstable connections in a row count as failures.
    static let unstableLimit = 3
    private static let minimum = Duration.milliseconds(200)
    private static let urgentMaximum = Duration.milliseconds(600)
    private static let urgentReach = Duration.seconds(1)

    /// How long after a loss attempts follow each other quickly: the delay of the will.
    let urgentPeriod: Duration
    let limit: Duration
    private var failures = 0
    private var unstable = 0
    private var isTakenOver = false
    private var lostAt: ContinuousClock.Instant?

    init(urgentPeriod: Duration, limit: Duration) { (self.urgentPeriod, self.limit) = (urgentPeriod, limit) }

    mutating func failed() {
        failures += 1
        isTakenOver = false
    }

    /// The broker accepted the client: forgets earlier failures.
    mutating func accepted() { failures = 0 }

    /// A connection was lost `lifetime` after the broker accepted it; `isTakeover` if the broker gave that reason.
    mutating func lost(after lifetime: Duration, isTakeover: Bool, at now: ContinuousClock.Instant) {
        unstable = lifetime < Self.stableAfter ? unstable + 1 : 0
        isTakenOver = isTakeover
        lostAt = now
        if unstable >= Self.unstableLimit { failures = unstable }
    }

    /// The pause before the next attempt; a random `fraction` (0–1) spreads clients that lost the same broker.
    func pause(at now: ContinuousClock.Instant, fraction: Double) -> Duration {
        let limit = isTakenOver ? Self.takeoverLimit : limit
        var ceiling = min(limit, Self.urgentMaximum)
        if !isUrgent(at: now) {
            for _ in 0..<min(failures, 16) where ceiling < limit { ceiling = min(limit, ceiling * 2) }
        }
        if isTakenOver { ceiling = limit }
        // Two clients with one identifier must not push each other out at full speed.
        let floor = isTakenOver ? limit / 2 : min(limit, Self.minimum)
        return floor + (ceiling - floor) * min(1, max(0, fraction))
    }

    /// How long the broker's address may take to answer, at most `timeout`.
    func reachTimeout(at now: ContinuousClock.Instant, _ timeout: Duration) -> Duration {
        isUrgent(at: now) ? min(Self.urgentReach, timeout) : timeout
    }

    private func isUrgent(at now: ContinuousClock.Instant) -> Bool {
        guard let lostAt, !isTakenOver, unstable < Self.unstableLimit else { return false }
        return now - lostAt < urgentPeriod
    }
}
