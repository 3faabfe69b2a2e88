/// A bucket of tokens: so many at once, so many more a second.
///
/// Times are seconds on any monotonic clock.
struct RateLimit: Sendable {
    private let burst: Double
    private let perSecond: Double
    private var tokens: Double
    private var last: Double?

    init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
        tokens = burst
    }

    /// Takes a token if there is one.
    mutating func allows(at now: Double) -> Bool {
        tokens = min(burst, tokens + max(0, now - (last ?? now)) * perSecond)
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
