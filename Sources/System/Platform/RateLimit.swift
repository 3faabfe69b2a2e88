/// A bucket of tokens: so many at once, so many more a second.
///
/// Times are seconds on any monotonic clock.
package struct RateLimit: Sendable {
    /// Almost one token, because sums of seconds are not exact.
    private static let one = 1 - 1e-9

    private let burst: Double
    private let perSecond: Double
    private var tokens: Double
    private var last: Double?

    package init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
        tokens = burst
    }

    /// When the next token is available; in the past if one is available now.
    package var next: Double {
        guard let last, tokens < Self.one else { return -.infinity }
        return last + (1 - tokens) / perSecond
    }

    package mutating func allows(at now: Double) -> Bool {
        tokens = min(burst, tokens + max(0, now - (last ?? now)) * perSecond)
        last = now
        guard tokens >= Self.one else { return false }
        tokens -= 1
        return true
    }

    /// Gives a token back that should not have counted.
    package mutating func giveBack() { tokens = min(burst, tokens + 1) }
}
