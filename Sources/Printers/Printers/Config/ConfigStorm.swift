/// Stops controllers that keep changing a printer: more than `limit` changes a second for ten seconds.
///
/// From then on changes are refused until a second has passed without an attempt. Times are seconds; a clock that is set
/// back counts as a second that has passed.
struct ConfigStorm: Sendable, Hashable {
    private let limit: Int
    private var second = -Double.infinity
    private var count = 0
    private var busySeconds = 0
    private var lastAttempt = -Double.infinity
    private var isOpen = false

    /// Stops more than `limit` changes a second; 0 switches it off.
    init(limit: Int) { self.limit = limit }

    func refuses(at now: Double) -> Bool { isOpen && !hasPassed(since: lastAttempt, at: now) }

    mutating func attempt(at now: Double) {
        guard limit > 0 else { return }
        if isOpen && hasPassed(since: lastAttempt, at: now) { self = ConfigStorm(limit: limit) }
        lastAttempt = now
        if hasPassed(since: second, at: now) {
            busySeconds = count > limit && now - second < 2 ? busySeconds + 1 : 0
            second = now
            count = 0
        }
        count += 1
        if busySeconds >= 10 { isOpen = true }
    }

    private func hasPassed(since time: Double, at now: Double) -> Bool { !(0..<1).contains(now - time) }
}
