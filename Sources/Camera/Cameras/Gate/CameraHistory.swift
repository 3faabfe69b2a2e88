import StoredSettings

/// The latest connections to a camera, and the access codes that it refused.
///
/// Times are seconds of ``MachineClock``.
struct CameraHistory: Sendable, Hashable {
    /// Connections in any ``window``.
    static let limit = 4
    static let window = 60.0

    /// When the latest connections began, the oldest first; at most ``limit``.
    private(set) var starts: [Double] = []
    /// When access codes were refused, by a keyed digest of user and access code.
    private(set) var refusals: [UInt32: Double] = [:]

    /// Reads a stored history, and leaves out times that are not positive or lie in the future.
    init(_ document: [String: JSONValue], at now: Double) {
        let possible = 0.0.nextUp...(now + 1)
        starts = (document["starts"]?.arrayValue ?? []).compactMap(\.doubleValue).filter(possible.contains).sorted()
        for (code, time) in document["refused"]?.objectValue ?? [:] {
            if let code = UInt32(code), let time = time.doubleValue, possible.contains(time) { refusals[code] = time }
        }
    }

    var document: [String: JSONValue] {
        let refused = refusals.map { (String($0), JSONValue.double($1)) }
        return [
            "starts": .array(starts.map(JSONValue.double)),
            "refused": .object(Dictionary(uniqueKeysWithValues: refused)),
        ]
    }

    mutating func begin(_ connections: Int = 1, at now: Double) {
        starts = (starts + Array(repeating: now, count: connections)).suffix(Self.limit)
    }

    /// Takes the latest connections back, which were not made.
    mutating func giveBack(_ connections: Int) { starts.removeLast(min(connections, starts.count)) }

    mutating func refuse(_ code: UInt32, at now: Double) {
        refusals = refusals.filter { $0.value + Self.window > now }
        refusals[code] = now
    }

    /// The longest wait until so many connections are allowed; nil if they are allowed now.
    func wait(code: UInt32?, connections: Int = 1, at now: Double) -> CameraWait? {
        let excess = starts.count + connections - Self.limit
        let free = excess > 0 ? starts[excess - 1] + Self.window : now
        if let refusedAt = code.flatMap({ refusals[$0] }), refusedAt + Self.window > now {
            return CameraWait(seconds: max(refusedAt + Self.window, free) - now, reason: .refusedCode)
        }
        return free > now ? CameraWait(seconds: free - now, reason: .limit) : nil
    }
}
