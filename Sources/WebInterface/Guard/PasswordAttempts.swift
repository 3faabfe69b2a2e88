/// Limits how often passwords are tried: a value; times are seconds on any monotonic clock.
struct PasswordAttempts: Sendable {
    /// Failures within ``window`` after which an address has to wait.
    static let limit = 5
    /// The same over all addresses, since an attacker may have many.
    static let totalLimit = 50
    /// Seconds after which a failure is forgotten.
    static let window = 60.0

    private var failures: [(peer: String, time: Double)] = []

    /// Whether an address may try a password now.
    func allows(_ peer: String, at now: Double) -> Bool {
        let recent = failures.filter { now - $0.time < Self.window }
        return recent.count < Self.totalLimit && recent.count(where: { $0.peer == peer }) < Self.limit
    }

    /// Counts a wrong password.
    mutating func fail(_ peer: String, at now: Double) {
        failures.removeAll { now - $0.time >= Self.window }
        failures.append((peer, now))
    }
}

extension String {
    /// Compares in a time that depends only on the length of `other`, so that time tells nothing about this text.
    func isEqualInConstantTime(to other: String) -> Bool {
        let (mine, theirs) = (Array(utf8), Array(other.utf8))
        guard !mine.isEmpty else { return false }
        var difference = mine.count ^ theirs.count
        for (index, byte) in theirs.enumerated() { difference |= Int(byte ^ mine[index % mine.count]) }
        return difference == 0
    }
}
