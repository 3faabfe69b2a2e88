internal import Foundation

/// Prints from their preparation to their end, one after the other with pauses; pure.
package struct SimulatedPrint: Sendable, Hashable {
    package enum Outcome: String, Sendable, CaseIterable {
        case finished
        /// The filament runs out half way; the print goes on later.
        case paused
        case failed, cancelled
    }

    /// What the printer reports half way.
    private static let errors: [Outcome: Int] = [
        .paused: 0x0700_8011, .failed: 0x0300_8003, .cancelled: 0x0300_400C,
    ]

    /// Seconds from the beginning of a print to its end; nil for a printer that prints nothing.
    package var duration: Double?
    package var outcome = Outcome.finished
    package var layers: Int

    /// A layer takes some seconds: of shorter layers, reports would leave some out.
    package init(duration: Double?) {
        self.duration = duration
        layers = duration.map { max(1, min(120, Int($0 / 5))) } ?? 120
    }

    struct Moment: Hashable {
        var state = "IDLE"
        var number = 0
        /// The part of the print's time that is over, 0 to 1.
        var progress = 0.0
        var remainingSeconds = 0.0
        /// How much of the file is loaded, in percent.
        var download = 0
        var stage: Int?
        var error = 0
        var layer = 0
        var nozzle = Self.ambient
        var nozzleTarget = 0
        var bed = Self.ambient
        var bedTarget = 0
        var tray: Int?

        static let ambient = 24.0

        var isPrinting: Bool { ["PREPARE", "RUNNING", "PAUSE"].contains(state) }
    }

    /// The parts of a print's time for its preparation, for that with levelling of the bed, and for the pause after it.
    private static let (preparation, levelling, pause) = (0.05, 0.08, 0.15)
    private static let changeOfFilament = 0.59..<0.61

    /// What the printer is doing some seconds after it was switched on.
    func moment(at seconds: Double) -> Moment {
        var moment = activity(at: seconds)
        // Sensors are noisy.
        moment.nozzle += sin(seconds) / 3
        moment.bed += cos(seconds) / 5
        return moment
    }

    private func activity(at seconds: Double) -> Moment {
        var moment = Moment()
        guard let duration, duration > 0 else { return moment }
        let cycle = (seconds / duration / (1 + Self.pause)).rounded(.down)
        var time = seconds / duration - cycle * (1 + Self.pause)
        moment.number = Int(cycle)
        if trouble(duration).contains(time) { moment.error = Self.errors[outcome] ?? 0 }
        let isPaused = moment.error != 0 && outcome == .paused
        if isPaused { time = 0.5 }
        let end = [.failed, .cancelled].contains(outcome) ? 0.5 : 1
        moment.progress = min(end, time)
        moment.remainingSeconds = duration * (1 - moment.progress)
        guard time < end else {
            moment.state = end < 1 ? "FAILED" : "FINISH"
            (moment.layer, moment.download) = (layer(at: end, duration), 100)
            moment.nozzle = Self.approach(220, Moment.ambient, after: time - end, slowness: 0.04)
            moment.bed = Self.approach(60, Moment.ambient, after: time - end, slowness: 0.08)
            return moment
        }
        (moment.nozzleTarget, moment.bedTarget) = (220, 60)
        moment.nozzle = Self.approach(Moment.ambient, 220, after: time, slowness: 0.015)
        moment.bed = Self.approach(Moment.ambient, 60, after: time, slowness: 0.02)
        moment.state = time < Self.preparation ? "PREPARE" : isPaused ? "PAUSE" : "RUNNING"
        moment.download = Int(min(1, time / Self.preparation) * 100)
        guard moment.state != "PREPARE" else { return moment }
        let isLevelled = time >= Self.levelling
        moment.layer = isLevelled ? layer(at: time, duration) : 0
        moment.tray = time < 0.6 ? 0 : 1
        moment.stage = !isLevelled ? 1 : isPaused ? 6 : Self.changeOfFilament.contains(time) ? 4 : 0
        return moment
    }

    /// When the error of a print is reported: as printers do, it clears the error soon, but not before a report showed it.
    private func trouble(_ duration: Double) -> Range<Double> { 0.5..<0.5 + max(0.05, 2.5 / duration) }

    /// No layer advances while the bed is levelled, the print is paused, or the filament is changed.
    private func layer(at time: Double, _ duration: Double) -> Int {
        let pause = trouble(duration).clamped(to: 0..<Self.changeOfFilament.lowerBound)
        let stops = [0..<Self.levelling, Self.changeOfFilament] + (outcome == .paused ? [pause] : [])
        func printed(until time: Double) -> Double {
            stops.reduce(time) { $0 - max(0, min(time, $1.upperBound) - $1.lowerBound) }
        }
        return min(layers, Int(printed(until: time) / printed(until: 1) * Double(layers)) + 1)
    }

    /// A temperature on its way from `start` to `end`; `time` is the part of the print's time since it began to change.
    private static func approach(_ start: Double, _ end: Double, after time: Double, slowness: Double) -> Double {
        end + (start - end) * exp(-time / slowness)
    }
}
