@testable import PrinterReport

/// The events of generated prints that may and must be published, by the messages that reach the bridge.
struct GeneratedTruth {
    /// A message that the bridge can read.
    private struct Seen {
        var time: Double
        var isWhole: Bool
        /// Whether nothing was missed since the last whole report.
        var isWatched: Bool
        /// How often the bridge has forgotten everything before.
        var epoch: Int

        var isReliable: Bool { isWhole || isWatched }
    }

    private let printer: GeneratedPrinter
    private var seen: [Seen] = []
    private var breaks: [Double] = []

    init(_ printer: GeneratedPrinter) {
        self.printer = printer
        var (isComplete, isWatched, epoch) = (false, false, 0)
        for (time, delivery) in printer.deliveries() {
            switch delivery {
            case .lost(let seconds):
                breaks.append(time)
                (isWatched, isComplete) = (false, isComplete && seconds < 300)
            case .restarted(let seconds, _):
                breaks.append(time)
                (isWatched, isComplete) = (false, isComplete && seconds < 300)
                if seconds >= 300 { epoch += 1 }
            case .message(_, let isWhole):
                isComplete = isComplete || isWhole
                if isComplete { seen.append(Seen(time: time, isWhole: isWhole, isWatched: isWatched, epoch: epoch)) }
                isWatched = isWatched || isWhole
            }
        }
    }

    /// Whether the outcome of a print must be told.
    func mustBeTold(_ print: GeneratedPrinter.Print) -> Bool {
        let running = print.start..<print.end
        guard let begin = seen.last(where: { running.contains($0.time) && $0.isReliable }),
            let end = seen.first(where: { $0.time >= print.end && ($0.isReliable || $0.time == print.end) })
        else { return false }
        // A break right after the end may hide the code for which the bridge waits, and the bridge may forget the print then.
        return begin.epoch == end.epoch && !breaks.contains { (end.time...end.time + 10.5).contains($0) }
    }

    /// The outcomes that may be told.
    func outcomes(of print: GeneratedPrinter.Print) -> Set<PrintEvent.Kind> {
        switch print.fate {
        case .lostPower: [.printEnded]
        case .finished: isKnown(print) ? [.printFinished] : [.printFinished, .printEnded]
        case .cancelled: isKnown(print) ? [.printCancelled] : [.printCancelled, .printEnded]
        case .failed, .failedWithoutCode, .failedWhilePreparing:
            isKnown(print) ? [.printFailed] : [.printFailed, .printEnded]
        }
    }

    /// Whether the start must be told.
    func mustStart(_ print: GeneratedPrinter.Print) -> Bool { seen.contains { $0.time == print.start && $0.isWatched } }

    func mustBeTold(fault times: [Double]) -> Bool { seen.contains { $0.time == times[0] && $0.isWatched } }

    /// Whether the bridge keeps its memory from one time to the other.
    func remembers(from start: Double, to end: Double) -> Bool {
        Set(seen.filter { (start...end).contains($0.time) }.map(\.epoch)).count == 1
    }

    /// Whether an observer can know how a print ended.
    private func isKnown(_ print: GeneratedPrinter.Print) -> Bool {
        if seen.contains(where: { $0.time == print.end && $0.isWatched }) {
            switch print.fate {
            case .finished: return true
            case .failedWithoutCode: return !breaks.contains { (print.end...print.end + 10.5).contains($0) }
            case .lostPower: return false
            case .failed, .cancelled, .failedWhilePreparing:
                let (first, last) = (print.codeShown.lowerBound, max(print.codeShown.lowerBound, print.end))
                return seen.contains { $0.time == first && $0.isWatched }
                    && !breaks.contains { (min(first, print.end)...last).contains($0) }
            }
        }
        // The first whole report after the end.
        guard let whole = seen.first(where: { $0.time >= print.end && $0.isWhole }), whole.time < print.shownUntil
        else {
            return false
        }
        switch print.fate {
        case .finished: return true
        case .failed, .cancelled: return print.codeShown.contains(whole.time) || printer.keepsReason
        case .failedWhilePreparing: return print.codeShown.contains(whole.time)
        case .failedWithoutCode, .lostPower: return false
        }
    }
}
