/// Stops controllers that keep changing a printer: more than `limit` changes a second for ten seconds.
///
/// From then on changes are refused until a second has passed without an attempt. Times are seconds on any
/// monotonic clock.
struct StormBreaker: Sendable, Hashable {
    private let limit: Int
    private var second = -Double.infinity
    private var count = 0
    private var busySeconds = 0
    private var lastAttempt = -Double.infinity
    private var isOpen = false

    /// - Parameter limit: Changes a second; 0 switches the breaker off.
    init(limit: Int) { self.limit = limit }

    /// Whether changes are refused now.
    func refuses(at now: Double) -> Bool { isOpen && now - lastAttempt < 1 }

    /// Takes note of a change that was asked for.
    mutating func attempt(at now: Double) {
        guard limit > 0 else { return }
        if isOpen && now - lastAttempt >= 1 { self = StormBreaker(limit: limit) }
        lastAttempt = now
        if now - second >= 1 {
            busySeconds = count > limit && now - second < 2 ? busySeconds + 1 : 0
            second = now
            count = 0
        }
        count += 1
        if busySeconds >= 10 { isOpen = true }
    }
}
