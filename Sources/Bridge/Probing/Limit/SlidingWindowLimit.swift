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
