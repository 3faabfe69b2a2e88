import CameraProtocols
import PrinterReport
import TestSupport
import Testing

@testable import Recorder

/// A print at simulated time: what the camera shows at each moment, and what the printer reports of it.
private struct SimulatedPrint {
    enum End: CaseIterable {
        case finishes, fails, failsAfterPause, isCancelled
        /// The printer is switched off: no picture and no report comes any more.
        case breaksOff
    }

    let family: PrinterFamily
    let end: End
    /// When each layer begins; the last value is the end of the last layer.
    let layers: [Double]
    /// When the print is over, and the printer says so.
    let over: Double
    /// When its trouble began.
    let trouble: Double
    /// Times at which a picture is received, and of reports.
    let pictures: [Double]
    let reports: [Double]
    init(_ random: inout some RandomNumberGenerator, hasBreaks: Bool) {
        let families = PrinterFamily.allCases
        family = families[Int.random(in: 0..<families.count, using: &random)]
        end = End.allCases[Int.random(in: 0..<End.allCases.count, using: &random)]
        let count = Int.random(in: 3...12, using: &random)
        var time = Double.random(in: 30...300, using: &random)
        var layers = [time]
        for _ in 0..<count {
            time += .random(in: 15...120, using: &random)
            layers.append(time)
        }
        trouble = end == .finishes ? .infinity : .random(in: layers[0] + 40...time, using: &random)
        // The end program: the head parks, and the bed drops in the last seconds.
        over = end == .finishes ? time + .random(in: 25...120, using: &random) : trouble + 20
        self.layers = layers
        let last = end == .breaksOff ? trouble : over + 20
        let period = Double.random(in: 0.1...1.5, using: &random)
        // Of the camera, of the printer's report, and of both.
        let breaks: [[ClosedRange<Double>]] = (0..<3).map { _ in
            (0..<(hasBreaks ? 1 : 0)).map { _ in
                let begin = Double.random(in: 0...last, using: &random)
                return begin...begin + .random(in: 5...60, using: &random)
            }
        }
        func isSeen(_ time: Double, _ breaks: [ClosedRange<Double>]) -> Bool { !breaks.contains { $0.contains(time) } }
        pictures = stride(from: 0.0, to: last, by: period).filter { isSeen($0, breaks[0] + breaks[2]) }
        // A change is reported at once, and other values twice a second.
        reports = (stride(from: 0.5, to: last, by: 0.5) + layers + [trouble, over])
            .filter { $0 < last && isSeen($0, breaks[1] + breaks[2]) }.sorted()
    }

    /// From 1; nil before the first layer.
    func layer(at time: Double) -> Int? {
        let begun = layers.dropLast().count { $0 <= min(time, trouble) }
        return begun > 0 ? begun : nil
    }

    func progress(at time: Double) -> PrintProgress {
        let total = layers.count - 1
        if time >= over {
            return PrintProgress(end == .finishes ? .finish : .failed, layer: layer(at: time), of: total)
        }
        guard let layer = layer(at: time) else { return PrintProgress(.preparing) }
        let isPaused = end == .failsAfterPause && time >= trouble
        var progress = PrintProgress(isPaused ? .paused : .running, layer: layer, of: total)
        progress.hasError = end == .fails && time >= trouble
        return progress
    }

    /// The moments that the recorder may show, with the times of pictures that show them.
    func truth(of moment: PrintMoment) -> ClosedRange<Double>? {
        switch moment {
        case .firstLayer: layers[0]...layers[1]
        case .lastLayer: layers[layers.count - 3]...layers[layers.count - 2]
        case .finished where end != .finishes: nil
        case .finished:
            [.a, .l].contains(family) ? layers[layers.count - 1]...over + 1 : layers[layers.count - 3]...over - 13
        case .failed: [.fails, .failsAfterPause].contains(end) ? trouble - 20...trouble : nil
        }
    }
}

@Suite("The pictures of a thousand prints")
struct SimulatedPrintTests {
    /// The times of the pictures that are chosen.
    private func record(_ print: SimulatedPrint) -> [PrintMoment: Double] {
        var watch = MomentWatch(print.family)
        var ring = PictureRing()
        var found: [PrintMoment: Double] = [:]
        var wasActive = false
        var isOver = false
        var next = 0
        var before = -1.0
        for time in print.reports {
            while next < print.pictures.count, print.pictures[next] <= time {
                let at = print.pictures[next]
                ring.append(VideoPicture(isKey: true, timestamp: Int64(at * 90_000), receivedAt: at, bytes: [1]))
                next += 1
            }
            if time - before > 1 { watch.loseSight() }
            before = time
            let progress = print.progress(at: time)
            var events: [PrintEvent.Kind] = []
            if progress.shown.isActive, !wasActive { events.append(.printStarted) }
            wasActive = wasActive || progress.shown.isActive
            if !progress.shown.isActive, wasActive, !isOver {
                isOver = true
                events.append(
                    print.end == .finishes ? .printFinished : print.end == .isCancelled ? .printCancelled : .printFailed
                )
            }
            for choice in watch.follow(progress, events, at: time) {
                if let picture = ring.group(ofLastIn: choice.times).last { found[choice.moment] = picture.receivedAt }
            }
        }
        return found
    }

    @Test func `The pictures are those of the moment, to one picture, where nothing is missed`() async {
        var random = SeededGenerator(seed: 59)
        for number in 0..<1000 {
            await Task.yield()
            let print = SimulatedPrint(&random, hasBreaks: false)
            let found = record(print)
            for moment in PrintMoment.allCases {
                guard let truth = print.truth(of: moment), hasHappened(moment, print) else {
                    #expect(found[moment] == nil, "print \(number), \(moment)")
                    continue
                }
                let time = found[moment]
                #expect(time.map(truth.contains) == true, "print \(number), \(moment): \(time ?? -1) of \(truth)")
                // The next picture would have been too late.
                guard [.firstLayer, .lastLayer].contains(moment), let time else { continue }
                let next = print.pictures.first { $0 > time } ?? .infinity
                #expect(next > truth.upperBound, "print \(number), \(moment)")
            }
        }
    }

    @Test func `The pictures are never those of another moment, where pictures and reports are missed`() async {
        var random = SeededGenerator(seed: 60)
        for number in 0..<1000 {
            await Task.yield()
            let print = SimulatedPrint(&random, hasBreaks: true)
            for (moment, time) in record(print) {
                let truth = print.truth(of: moment)
                #expect(
                    truth?.contains(time) == true,
                    "print \(number), \(moment): \(time) of \(String(describing: truth))"
                )
            }
        }
    }

    private func hasHappened(_ moment: PrintMoment, _ print: SimulatedPrint) -> Bool {
        switch moment {
        case .firstLayer: print.trouble >= print.layers[1]
        case .lastLayer: print.trouble >= print.layers[print.layers.count - 2]
        case .finished, .failed: true
        }
    }
}
