package import CameraProtocols

/// When a printer is asked why its camera fails: seldom, since each question takes one of its few places for clients.
///
/// Times are seconds on any monotonic clock.
package struct WitnessSchedule: Sendable, Hashable {
    /// The pauses between questions while the camera keeps failing; the last one repeats.
    static let pauses = [300.0, 900.0, 3_600.0]
    /// The most questions to a printer within so many seconds, those of people included.
    package static let limits = [(count: 4, seconds: 3_600.0), (count: 12, seconds: 86_400.0)]
    /// The longest pause before the first question, which keeps the questions to several printers apart.
    static let spread = 5.0

    /// When the printer is to be asked next; nil while there is no reason to.
    package private(set) var next: Double?
    private var failures = 0
    /// The questions since the camera began to fail.
    private var count = 0

    package init() {}

    /// Notes the result of a probe.
    ///
    /// Two failures in a row are a reason to ask, unless the probe knows the cause or did not reach the printer.
    package mutating func note(_ reason: ProbeReason?, at now: Double, fraction: Double = .random(in: 0...1)) {
        guard let reason, !reason.needsNoWitness else {
            self = WitnessSchedule()
            return
        }
        failures += 1
        if failures == 2 { next = now + Self.spread * fraction }
    }

    /// Notes a question, or that the limits forbid it for `wait` seconds.
    package mutating func ask(at now: Double, wait: Double? = nil, fraction: Double = .random(in: 0...1)) {
        guard let due = next else { return }
        if let wait { return next = max(due, now + wait) }
        next = now + Self.pauses[min(count, Self.pauses.count - 1)] * (1 + fraction / 10)
        count += 1
    }
}
