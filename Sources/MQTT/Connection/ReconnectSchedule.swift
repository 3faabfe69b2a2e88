/// Decides how long to wait before the next attempt, and whether connections end suspiciously fast.
struct ReconnectSchedule: Sendable {
    /// A connection that was lost within so long of the broker's acceptance may have been pushed out.
    static let suspiciousLifetime = Duration.seconds(5)
    /// So many in a row are taken for another client with the same identifier.
    static let suspiciousCount = 3

    private let policy: MQTTReconnectPolicy
    private var failures = 0
    private var lostEarly = 0

    init(_ policy: MQTTReconnectPolicy) {
        self.policy = policy
    }

    /// An attempt came to nothing.
    ///
    /// A broker that lets one client push another out can be reached: losses before this were of another kind.
    mutating func failed() {
        failures += 1
        lostEarly = 0
    }

    /// A connection ended after `lifetime`.
    ///
    /// `wasPushed` is whether the broker or the network ended it without a word (mosquitto before 2.1 says nothing to
    /// a client that it replaces). Returns whether a takeover is suspected.
    mutating func ended(after lifetime: Duration, wasPushed: Bool) -> Bool {
        if lifetime >= policy.stableAfter { failures = 0 }
        failures += 1
        lostEarly = wasPushed && lifetime < Self.suspiciousLifetime ? lostEarly + 1 : 0
        return lostEarly >= Self.suspiciousCount
    }

    /// The pause before the next attempt: `fraction` (0–1, random) of the way from the minimum to a ceiling that
    /// doubles with each failure.
    ///
    /// A suspected takeover waits at least half of it, so that two clients don't push each other out for ever at full
    /// speed.
    func pause(fraction: Double) -> Duration {
        let minimum = max(policy.minimum, .milliseconds(10))
        let maximum = max(policy.maximum, minimum)
        var ceiling = minimum
        for _ in 0..<min(failures, 32) where ceiling < maximum { ceiling = min(maximum, ceiling * 2) }
        let floor = lostEarly >= Self.suspiciousCount ? max(minimum, ceiling / 2) : minimum
        return floor + (ceiling - floor) * min(1, max(0, fraction))
    }
}
