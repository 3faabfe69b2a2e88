/// How often a printer may be probed: four times a minute.
///
/// Times are seconds on any monotonic clock.
struct ProbeAllowance: Sendable, Hashable {
    static let perPeriod = 4
    static let period = 60.0

    private var starts: [Double] = []

    /// When it may be probed next; long ago when it may be now.
    var next: Double { starts.count < Self.perPeriod ? -.infinity : starts[0] + Self.period }

    /// Takes note of a probe that begins.
    mutating func use(at now: Double) { starts = starts.suffix(Self.perPeriod - 1) + [now] }

    /// When the probes began that are not over for long.
    func starts(after time: Double) -> [Double] { starts.filter { $0 > time } }
}
