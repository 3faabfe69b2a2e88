import StoredSettings

/// The latest connections to a camera, and the access code that it refused last.
///
/// Times are seconds of ``MachineClock``.
struct CameraHistory: Sendable, Hashable {
    /// Connections in any ``window``.
    static let limit = 4
    static let window = 60.0

    /// When the latest connections began, the oldest first; at most ``limit``.
    private(set) var starts: [Double] = []
    private(set) var refusedAt: Double?
    /// A keyed digest of user and access code.
    private(set) var refusedCode: UInt32?

    /// Reads a stored history, and leaves out times that are not positive or lie in the future.
    init(_ document: [String: JSONValue], at now: Double) {
        let possible = 0.0.nextUp...(now + 1)
        starts = (document["starts"]?.arrayValue ?? []).compactMap(\.doubleValue).filter(possible.contains).sorted()
        guard let time = document["refused_at"]?.doubleValue, possible.contains(time) else { return }
        refusedAt = time
        refusedCode = document["refused_code"]?.intValue.flatMap(UInt32.init(exactly:))
    }

    var document: [String: JSONValue] {
        var document = ["starts": JSONValue.array(starts.map(JSONValue.double))]
        document["refused_at"] = refusedAt.map(JSONValue.double)
        document["refused_code"] = refusedCode.map { .int(Int($0)) }
        return document
    }

    mutating func begin(_ connections: Int = 1, at now: Double) {
        starts = (starts + Array(repeating: now, count: connections)).suffix(Self.limit)
    }

    /// Takes the latest connections back, which were not made.
    mutating func giveBack(_ connections: Int) { starts.removeLast(min(connections, starts.count)) }

    mutating func refuse(_ code: UInt32, at now: Double) { (refusedAt, refusedCode) = (now, code) }

    /// The longest wait until so many connections are allowed; nil if they are allowed now.
    func wait(code: UInt32?, connections: Int = 1, at now: Double) -> CameraWait? {
        let excess = starts.count + connections - Self.limit
        let free = excess > 0 ? starts[excess - 1] + Self.window : now
        if let refusedAt, refusedCode == code, refusedAt + Self.window > now {
            return CameraWait(seconds: max(refusedAt + Self.window, free) - now, reason: .refusedCode)
        }
        return free > now ? CameraWait(seconds: free - now, reason: .limit) : nil
    }
}
