import Printers

/// How many requests a network may send before it signs in: a value; times are seconds on any monotonic clock.
///
/// A refusal costs less than an answer. Without the limit, one client that sends thousands of requests without waiting for
/// the answers takes all of the processor.
struct RequestBudget: Sendable {
    /// Opening the page takes some twenty requests.
    static let burst = 60.0
    static let perSecond = 30.0
    /// How many networks are remembered.
    static let networkLimit = 1_024

    private var limits: [[UInt8]: RateLimit] = [:]

    /// Counts a request; false if the network has sent too many.
    ///
    /// An IPv6 network is a /48 here, which one customer may have.
    mutating func allows(_ network: [UInt8], at now: Double) -> Bool {
        let network = Array(network.prefix(6))
        if limits[network] == nil, limits.count >= Self.networkLimit { limits = [:] }
        return limits[network, default: RateLimit(burst: Self.burst, perSecond: Self.perSecond)].allows(at: now)
    }
}
