import OpenSSL

/// The sessions of browsers: a value; times are seconds on any monotonic clock.
struct Sessions: Sendable {
    struct Session: Sendable, Hashable {
        /// Sent by the page with every change, so that no other site can make one.
        var changeToken: String
        var isSignedIn = false
        fileprivate var expires: Double

        /// The least goes first when there are too many.
        fileprivate var rank: (Int, Double) { (isSignedIn ? 1 : 0, expires) }
    }

    /// How long a session lasts, in seconds.
    static let lifetime = 7 * 86_400.0
    /// How many sessions are kept; beyond this, sessions without the password are removed first.
    static let limit = 1_000

    private var sessions: [String: Session] = [:]

    func session(_ cookie: String, at now: Double) -> Session? {
        sessions[cookie].flatMap { $0.expires > now ? $0 : nil }
    }

    mutating func begin(isSignedIn: Bool, at now: Double) throws -> String {
        if sessions.count >= Self.limit { sessions = sessions.filter { $0.value.expires > now } }
        if sessions.count >= Self.limit {
            let first = sessions.min { $0.value.rank < $1.value.rank }
            if let first { sessions[first.key] = nil }
        }
        let cookie = try SecureRandom.hex(16)
        let changeToken = try SecureRandom.hex(16)
        sessions[cookie] = Session(changeToken: changeToken, isSignedIn: isSignedIn, expires: now + Self.lifetime)
        return cookie
    }

    mutating func end(_ cookie: String) { sessions[cookie] = nil }
}
