/// What counts of one camera: when connections to it began, and which access code it refused.
///
/// Times are seconds since the machine started, in tenths: all processes count alike.
struct CameraTally: Sendable, Hashable {
    /// How long a refused access code is not tried again, in seconds.
    static let refusalWindow = 60.0

    /// An access code that was refused.
    struct Refusal: Sendable, Hashable {
        /// A keyed digest of user and code.
        var code: UInt32
        var time: Double
    }

    var limit = SlidingWindowLimit()
    var refusal: Refusal?

    /// The end of the tenth of a second that a time is in, so that a limit never ends too early.
    static func rounded(_ time: Double) -> Double { (time * 10).rounded(.up) / 10 }

    /// Whether nothing of it counts any more.
    func isOver(at now: Double) -> Bool {
        limit.starts(after: now - SlidingWindowLimit.window).isEmpty
            && refusal.map { $0.time + Self.refusalWindow <= now } ?? true
    }

    /// Takes note of a connection that begins; no two are noted at the same time, since equal notes are taken for one.
    mutating func use(at time: Double) {
        limit.use(at: max(Self.rounded(time), Self.rounded((limit.starts.last ?? 0) + 0.05)))
    }

    /// Both tallies together: the file's and this process's.
    func merged(with other: Self) -> Self {
        CameraTally(
            limit: SlidingWindowLimit(starts: Set(limit.starts).union(other.limit.starts)),
            refusal: [refusal, other.refusal].compactMap(\.self).max { $0.time < $1.time }
        )
    }

    /// Why the camera must not be connected to yet; nil when it may be.
    ///
    /// - Parameters:
    ///   - code: The digest of the access code that would be tried.
    ///   - unseen: When a connection may have begun that is in no tally.
    ///   - now: The time.
    /// - Returns: The longest of all waits.
    func wait(code: UInt32?, unseen: Double?, at now: Double) -> CameraWait? {
        let seen = SlidingWindowLimit(starts: limit.starts + (unseen.map { [$0] } ?? []))
        if let refusal, refusal.code == code, refusal.time + Self.refusalWindow > now {
            return CameraWait(seconds: max(refusal.time + Self.refusalWindow, seen.next) - now, reason: .refusedCode)
        }
        return seen.next > now ? CameraWait(seconds: seen.next - now, reason: .limit) : nil
    }
}

/// How often a camera may be connected to: four times in any minute.
///
/// Times are seconds on any monotonic clock.
struct SlidingWindowLimit: Sendable, Hashable {
    static let limit = 4
    static let window = 60.0

    /// The newest starts, the oldest first; at most ``limit``.
    private(set) var starts: [Double] = []

    init(starts: some Sequence<Double> = []) { self.starts = starts.sorted().suffix(Self.limit) }

    /// When it may be connected to next; long ago when it may be now.
    var next: Double { starts.count < Self.limit ? -.infinity : starts[0] + Self.window }

    /// Takes note of a connection that begins.
    mutating func use(at now: Double) { starts = starts.suffix(Self.limit - 1) + [now] }

    /// Takes the newest note back: nothing was connected to.
    mutating func giveBack() { starts = starts.dropLast() }

    /// When the connections began that still count.
    func starts(after time: Double) -> [Double] { starts.filter { $0 > time } }
}
