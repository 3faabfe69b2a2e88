import Foundation

enum SignIn: Sendable, Hashable {
    case right
    case wrong
    /// It was not looked at: the address has to wait.
    case tooOften(seconds: Int)
}

/// Makes an address that sends wrong passwords wait, each time twice as long: a value; times are seconds on any monotonic
/// clock.
///
/// Networks are counted apart. An IPv6 network is a /64, the least that a customer has (RFC 6177). A customer may also
/// have a /56 or a /48, so the attempts from all networks of each are counted as well, with a higher limit.
struct PasswordAttempts: Sendable {
    /// Wrong passwords after which a network has to wait.
    static let limit = 5
    /// The same for a whole /56 or /48.
    static let siteLimit = 20
    /// The first delay, and the longest one.
    static let delays = 60.0...3_600
    /// Seconds after the last wrong password until it is forgotten.
    static let lifetime = 86_400.0
    /// How many networks are remembered.
    ///
    /// Beyond the limit, networks that need not wait are forgotten first, beginning with the one that was silent
    /// longest.
    static let networkLimit = 4_096

    private struct Failures {
        var count = 0
        var last: Double
        let limit: Int

        var isDelayed: Bool { count >= limit }
    }

    private var failures: [[UInt8]: Failures] = [:]

    /// How many seconds a network has to wait; 0 if it may try a password.
    func delay(of network: [UInt8]?, at now: Double) -> Int {
        let delays = Self.widths(of: network).compactMap { width, _ -> Double? in
            guard let failures = failures[width], failures.isDelayed else { return nil }
            let doubled = Self.delays.lowerBound * exp2(Double(failures.count - failures.limit))
            return failures.last + min(doubled, Self.delays.upperBound) - now
        }
        return Int(max(0, delays.max() ?? 0).rounded(.up))
    }

    /// Answers an attempt, and counts it if the password is wrong; without a network it is from this machine, which never waits.
    mutating func answer(_ isRight: Bool, from network: [UInt8]?, at now: Double) -> SignIn {
        let delay = delay(of: network, at: now)
        if delay > 0 { return .tooOften(seconds: delay) }
        for (width, limit) in Self.widths(of: network) {
            if isRight { failures[width] = nil } else { count(width, limit, at: now) }
        }
        return isRight ? .right : .wrong
    }

    private mutating func count(_ network: [UInt8], _ limit: Int, at now: Double) {
        let earlier = failures[network].flatMap { now - $0.last < Self.lifetime ? $0.count : nil } ?? 0
        if failures[network] == nil { makeRoom(at: now) }
        failures[network] = Failures(count: earlier + 1, last: now, limit: limit)
    }

    /// The networks that an attempt counts for, each with its limit; none for this machine.
    private static func widths(of network: [UInt8]?) -> [(network: [UInt8], limit: Int)] {
        guard let network else { return [] }
        guard network.count == 8 else { return [(network, limit)] }
        return [(network, limit)] + [7, 6].map { (Array(network.prefix($0)), siteLimit) }
    }

    private mutating func makeRoom(at now: Double) {
        guard failures.count >= Self.networkLimit else { return }
        failures = failures.filter { now - $0.value.last < Self.lifetime }
        guard failures.count >= Self.networkLimit else { return }
        let rank = { (failures: Failures) in (failures.isDelayed ? 1 : 0, failures.last) }
        if let first = failures.min(by: { rank($0.value) < rank($1.value) })?.key { failures[first] = nil }
    }
}
