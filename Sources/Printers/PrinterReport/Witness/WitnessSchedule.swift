package import CameraProtocols

/// When a printer is asked why its camera fails: seldom, since each question takes one of its few places for clients.
///
/// Times are seconds on any monotonic clock. Kept across restarts by ``starts``.
package struct WitnessSchedule: Sendable, Hashable {
    /// The pauses between questions while the camera keeps failing; the last one repeats.
    static let pauses = [300.0, 900.0, 3_600.0]
    /// How many questions may begin within a time, whoever asks.
    static let limits = [(count: 4, seconds: 3_600.0), (count: 12, seconds: 86_400.0)]
    private static let memory = 12
    /// The longest pause before the first question, which keeps the questions to several printers apart.
    static let spread = 5.0

    /// When the latest questions began, the oldest first.
    package var starts: [Double] { didSet { starts = starts.sorted().suffix(Self.memory) } }
    /// When the whole report was last asked for, also for `telemetry`.
    package var reportAskedAt: Double?
    private var failures = 0
    /// The questions since the camera began to fail.
    private var count = 0
    private var due: Double?

    package init(starts: [Double] = []) { self.starts = starts.sorted().suffix(Self.memory) }

    /// When the printer is to be asked next; nil while there is no reason to.
    package var next: Double? { due.map { max($0, allowed) } }

    /// Whether the limits allow a question now, such as one that a person asks.
    package func allows(at now: Double) -> Bool { now >= allowed }

    /// Notes the result of a probe.
    ///
    /// Two failures in a row are a reason to ask, unless the probe knows the cause or did not reach the printer.
    package mutating func note(_ reason: ProbeReason?, at now: Double, fraction: Double = .random(in: 0...1)) {
        guard let reason, !reason.needsNoWitness else {
            (failures, count, due) = (0, 0, nil)
            return
        }
        failures += 1
        if failures == 2 { due = now + Self.spread * fraction }
    }

    package mutating func ask(at now: Double, fraction: Double = .random(in: 0...1)) {
        starts.append(now)
        guard due != nil else { return }
        due = now + Self.pauses[min(count, Self.pauses.count - 1)] * (1 + fraction / 10)
        count += 1
    }

    package var allowed: Double {
        let report = reportAskedAt.map { $0 + Double(PrinterRequest.reportInterval.components.seconds) }
        return Self.limits.reduce(report ?? -.infinity) { allowed, limit in
            starts.count < limit.count ? allowed : max(allowed, starts[starts.count - limit.count] + limit.seconds)
        }
    }
}
