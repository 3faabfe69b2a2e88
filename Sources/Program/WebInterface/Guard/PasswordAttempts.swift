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
/// What one network does delays no other one. An IPv6 network is a /64, which one customer has at least (RFC 6177).
struct PasswordAttempts: Sendable {
    /// Wrong passwords after which a network has to wait.
    static let limit = 5
    /// The first delay, and the longest one.
    static let delays = 60.0...3_600
    /// Seconds after the last wrong password until it is forgotten.
    static let lifetime = 86_400.0
    /// How many networks are remembered; the one that was silent longest goes first.
    static let networkLimit = 4_096

    private var failures: [[UInt8]: (count: Int, last: Double)] = [:]

    /// How many seconds a network has to wait; 0 if it may try a password.
    func delay(of network: [UInt8]?, at now: Double) -> Int {
        guard let network, let (count, last) = failures[network], count >= Self.limit else { return 0 }
        let delay = min(Self.delays.lowerBound * exp2(Double(count - Self.limit)), Self.delays.upperBound)
        return Int(max(0, last + delay - now).rounded(.up))
    }

    /// Answers an attempt, and counts it if the password is wrong; without a network it is from this machine, which never waits.
    mutating func answer(_ isRight: Bool, from network: [UInt8]?, at now: Double) -> SignIn {
        let delay = delay(of: network, at: now)
        if delay > 0 { return .tooOften(seconds: delay) }
        guard let network else { return isRight ? .right : .wrong }
        if isRight {
            failures[network] = nil
            return .right
        }
        let earlier = failures[network].flatMap { now - $0.last < Self.lifetime ? $0.count : nil } ?? 0
        if failures[network] == nil { makeRoom(at: now) }
        failures[network] = (earlier + 1, now)
        return .wrong
    }

    private mutating func makeRoom(at now: Double) {
        guard failures.count >= Self.networkLimit else { return }
        failures = failures.filter { now - $0.value.last < Self.lifetime }
        guard failures.count >= Self.networkLimit else { return }
        if let silent = failures.min(by: { $0.value.last < $1.value.last })?.key { failures[silent] = nil }
    }
}
