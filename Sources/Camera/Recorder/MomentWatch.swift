package import PrinterReport

/// Follows one printer's reports, and chooses the pictures of its moments: a value.
///
/// A ring has the latest pictures: the picture of a moment is chosen when a later report shows which one it was. Times
/// are those of receipt, in seconds on the recorder's clock. A report comes a second or two after what it tells.
package struct MomentWatch: Sendable, Hashable {
    /// Least seconds of the end program before `FINISH`, where the bed drops: 10 s for the bed, then a sound.
    static let endProgram = 20.0
    /// A fault shows in the picture for some seconds before the printer reports it.
    static let faultLead = 2.0
    /// How old the picture of a finished print may be, in seconds, if no report told when its last layer began.
    private static let longestEnd = 60.0
    /// After so many seconds of printing with an error, a stop has another cause than the error's first sign.
    private static let longestError = 60.0
    /// How old a picture of a fault, or after the end of a print, may be.
    private static let freshness = 15.0

    private struct Layers: Sendable, Hashable {
        /// The present layer: its number, when it was reported first, and when a report showed it last.
        var number = 0
        var began = 0.0
        var seen = 0.0
        /// The beginning of the layer before it.
        var formerBegan: Double?
    }

    private struct Trouble: Sendable, Hashable {
        /// The time of its first sign; nil if that was in a break.
        var began: Double?
        /// When a report showed it first, or since when the print runs with it.
        var seen: Double
        /// Whether the print stands still.
        var isStop = false
    }

    package var family: PrinterFamily?
    private var layers: Layers?
    private var lastLayerBegan: Double?
    /// The present trouble: an error, a pause or the end.
    private var trouble: Trouble?
    private var ended: Double?
    private var told: Set<PrintMoment> = []
    /// When the last picture of the layers that the latest report ended was taken; nil if none ended.
    private(set) package var endedLayer: ClosedRange<Double>?
    /// Whether no report was missed since the last one.
    private var isWatched = false

    package init(_ family: PrinterFamily? = nil) { self.family = family }

    /// Whether the bed drops at the end of a print; elsewhere the head lifts.
    private var dropsBed: Bool { family != .a && family != .l }

    /// The times of the picture before the present trouble; nil if there is none, or if it began in a break.
    package var timesOfTrouble: ClosedRange<Double>? {
        guard let latest = trouble?.began.map({ $0 - Self.faultLead }) else { return nil }
        return latest - Self.freshness...latest
    }

    /// Notes that reports may be missed from now on.
    package mutating func loseSight() { isWatched = false }

    /// Forgets the print before.
    package mutating func beginPrint() { (layers, lastLayerBegan, trouble, ended, told) = (nil, nil, nil, nil, []) }

    /// Takes a report, and what happened to the print since the report before; returns the moments that are over now.
    package mutating func follow(
        _ progress: PrintProgress,
        _ events: [PrintEvent.Kind] = [],
        at time: Double
    ) -> [MomentChoice] {
        if events.contains(.printStarted) { beginPrint() }
        endedLayer = nil
        defer { isWatched = true }
        noteTrouble(progress, at: time)
        var choices = progress.shown == .running && !progress.isBetweenLayers ? noteLayer(progress, at: time) : []
        if [.finish, .failed].contains(progress.shown) {
            ended = ended ?? (isWatched ? time : nil)
        } else if progress.shown.isActive {
            ended = nil
        }
        for event in events {
            switch event {
            case .printFinished: choices += choice(.finished, finish(at: time))
            case .printFailed: choices += choice(.failed, timesOfTrouble)
            default: break
            }
        }
        return choices
    }

    private mutating func noteTrouble(_ progress: PrintProgress, at time: Double) {
        switch progress.shown {
        case .running where !progress.hasError, .preparing where !progress.hasError: trouble = nil
        case .finish, .noPrint, .calibration, .nothing: break
        case .running, .preparing, .paused, .failed:
            let isStop = [.paused, .failed].contains(progress.shown)
            let isNew = trouble.map { isStop && !$0.isStop && time - $0.seen > Self.longestError } ?? true
            if isNew { trouble = Trouble(began: isWatched ? time : nil, seen: time) }
            if trouble?.isStop == true, !isStop { trouble?.seen = time }
            trouble?.isStop = isStop
        }
    }

    private mutating func noteLayer(_ progress: PrintProgress, at time: Double) -> [MomentChoice] {
        guard let layer = progress.layer else { return [] }
        guard let known = layers else {
            layers = Layers(number: layer, began: time, seen: time)
            return []
        }
        guard layer != known.number else {
            layers?.seen = time
            return []
        }
        // Without a break, the layer before lasted until now.
        let isNext = isWatched && layer == known.number + 1
        let end = isNext ? time : known.seen
        // If reports skipped layers, the picture of the layer before stands for all of them.
        if layer > known.number { endedLayer = before(isWatched ? time : known.seen, notBefore: known.began) }
        var choices: [MomentChoice] = []
        if known.number == 1, layer > 1 { choices += choice(.firstLayer, before(end, notBefore: known.began)) }
        if isNext, layer == progress.totalLayers {
            choices += choice(.lastLayer, before(time, notBefore: known.began))
            lastLayerBegan = time
        }
        layers = Layers(number: layer, began: time, seen: time, formerBegan: isNext ? known.began : nil)
        return choices
    }

    /// The picture of a print that has just ended.
    private func finish(at time: Double) -> ClosedRange<Double>? {
        guard let ended else { return nil }
        // The head lifts, and the print stays where it is.
        guard dropsBed else { return ended - Self.freshness...max(time, ended) }
        let latest = max(ended - Self.endProgram, lastLayerBegan ?? -.infinity)
        let earliest = lastLayerBegan.map { layers?.formerBegan ?? $0 } ?? latest - Self.longestEnd
        return min(earliest, latest)...latest
    }

    /// The time before a report; the picture that came with it is too late.
    private func before(_ time: Double, notBefore earliest: Double) -> ClosedRange<Double>? {
        earliest < time ? earliest...time.nextDown : nil
    }

    private mutating func choice(_ moment: PrintMoment, _ times: ClosedRange<Double>?) -> [MomentChoice] {
        guard let times, told.insert(moment).inserted else { return [] }
        return [MomentChoice(moment: moment, times: times)]
    }
}
