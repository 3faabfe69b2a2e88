/// How a password was answered.
enum SignIn: Sendable, Hashable { case right, wrong, tooOften }

/// Limits how often passwords are tried: a value; times are seconds on any monotonic clock.
struct PasswordAttempts: Sendable {
    /// Failures within ``window`` after which an address has to wait.
    static let limit = 5
    /// The same over all addresses, since an attacker may have many; those that gave the password before are let through.
    static let totalLimit = 50
    /// Seconds after which a failure is forgotten.
    static let window = 60.0
    /// Addresses that are remembered for having given the password.
    private static let knownLimit = 100

    private var failures: [(client: String, time: Double)] = []
    private var known: [String] = []

    /// Answers an attempt from an address, and counts it if the password is wrong.
    mutating func answer(_ isRight: @autoclosure () -> Bool, from client: String, at now: Double) -> SignIn {
        failures.removeAll { now - $0.time >= Self.window }
        guard failures.count(where: { $0.client == client }) < Self.limit,
            failures.count < Self.totalLimit || known.contains(client)
        else { return .tooOften }
        guard isRight() else {
            failures.append((client, now))
            return .wrong
        }
        if !known.contains(client) { known = [client] + known.prefix(Self.knownLimit - 1) }
        return .right
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
