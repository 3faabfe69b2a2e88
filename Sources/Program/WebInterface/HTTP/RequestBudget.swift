import Platform
import Printers

/// How many requests a network may send before it signs in: a value; times are seconds on any monotonic clock.
///
/// A refusal costs less than an answer. Without the limit, one client that sends thousands of requests without waiting for
/// the answers takes all of the processor.
struct RequestBudget: Sendable {
    /// A page takes some twenty.
    static let burst = 60.0
    static let perSecond = 30.0
    /// How many networks are remembered; all others share one limit.
    static let networkLimit = 1_024
    /// After how many seconds all networks are forgotten: none needs more than a few to have its whole burst again.
    private static let lifetime = 60.0

    private var limits: [[UInt8]: RateLimit] = [:]
    private var began = -Double.infinity

    /// Counts a request; false if it is one too many.
    ///
    /// An IPv6 network is a /48 here, which one customer may have.
    mutating func allows(_ network: [UInt8], at now: Double) -> Bool {
        if now - began >= Self.lifetime { (limits, began) = ([:], now) }
        return limits[key(of: network), default: RateLimit(burst: Self.burst, perSecond: Self.perSecond)].allows(
            at: now
        )
    }

    /// Does not count a request after all: its client has signed in.
    mutating func giveBack(_ network: [UInt8]) { limits[key(of: network)]?.giveBack() }

    private func key(of network: [UInt8]) -> [UInt8] {
        let key = Array(network.prefix(6))
        return limits[key] == nil && limits.count >= Self.networkLimit ? [] : key
    }
}
