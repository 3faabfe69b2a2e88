import PrinterReport
import Testing

@testable import Recorder

@Suite("The recorder chooses")
struct MomentWatchTests {
    /// A report at a time, with what happened.
    private typealias Step = (at: Double, progress: PrintProgress, events: [PrintEvent.Kind])

    /// What is chosen of these steps; if `losesSight`, the last one comes after a break.
    private func choices(of steps: [Step], _ family: PrinterFamily? = .x, losesSight: Bool = false) -> [MomentChoice] {
        var watch = MomentWatch(family)
        return steps.enumerated().flatMap { number, step in
            if losesSight, number == steps.count - 1 { watch.loseSight() }
            return watch.follow(step.progress, step.events, at: step.at)
        }
    }

    private func running(_ layer: Int, _ at: Double, of total: Int = 3) -> Step {
        (at, PrintProgress(.running, layer: layer, of: total), [])
    }

    private var begin: [Step] {
        [(0, PrintProgress(.noPrint), []), (1, PrintProgress(.preparing), [.printStarted])]
    }

    @Test func `The first layer is shown by its picture before the second layer, whatever is done between`() {
        var changing = running(2, 150)
        changing.progress.isBetweenLayers = true
        for between in [running(1, 190), changing] {
            let found = choices(of: begin + [running(1, 100), between, running(2, 200)])
            #expect(found == [MomentChoice(moment: .firstLayer, times: 100...200.0.nextDown)])
        }
    }

    /// All three layers of a print.
    private var layers: [Step] { begin + [running(1, 100), running(2, 200), running(3, 300)] }

    @Test(arguments: [
        (PrinterFamily.x, 400.0, 200.0...380), (.p, 400, 200...380), (.n, 400, 200...380), (.a, 400, 385...400),
        (.l, 400, 385...400), (.x, 310, 200...300),
    ])
    func `A finished print is shown before the bed drops, but not before its last layer, or later where the head lifts`(
        _ family: PrinterFamily,
        end: Double,
        _ times: ClosedRange<Double>
    ) {
        let end: Step = (end, PrintProgress(.finish, layer: 3, of: 3), [.printFinished])
        let found = choices(of: layers + [end], family)
        #expect(found.last == MomentChoice(moment: .finished, times: times))
    }

    @Test func `A failed print is shown before the first sign of its trouble: the error, the pause or the end`() {
        var error = running(2, 220)
        error.progress.hasError = true
        let pause: Step = (230, PrintProgress(.paused, layer: 2, of: 3), [.printPaused])
        let end: Step = (250, PrintProgress(.failed, layer: 2, of: 3), [])
        let verdict: Step = (260, PrintProgress(.failed, layer: 2, of: 3), [.printFailed])
        let layers = begin + [running(1, 100)]
        // It runs on with this error.
        var old = error
        old.at = 150
        let older: Step = (140, PrintProgress(.paused, layer: 2, of: 3), [.printPaused])
        for (signs, first) in [
            ([error, pause, end, verdict], 220.0), ([pause, end, verdict], 230), ([end, verdict], 250),
            ([old, pause, end, verdict], 230), ([old, error, end, verdict], 250), ([older, old, end, verdict], 250),
        ] {
            #expect(choices(of: layers + signs).last == MomentChoice(moment: .failed, times: first - 17...first - 2))
        }
    }

    @Test func `A trouble that went away and a cancelled print have no picture`() {
        let pause: Step = (230, PrintProgress(.paused, layer: 2, of: 9), [.printPaused])
        let end: Step = (300, PrintProgress(.failed, layer: 2, of: 9), [.printFailed])
        let layers = begin + [running(2, 200, of: 9), pause, running(2, 240, of: 9)]
        #expect(choices(of: layers + [end]).last?.times == 283...298)
        let cancelled: Step = (300, PrintProgress(.failed, layer: 2, of: 9), [.printCancelled])
        #expect(choices(of: layers + [cancelled]).isEmpty)
    }

    @Test(
        arguments: [
            (false, 2, 200.0, 100...200.0.nextDown), (false, 5, 200, 100...200.0.nextDown), (false, 1, 200, nil),
            (true, 2, 200, 100...150.0.nextDown), (false, 0, 200, nil),
        ] as [(Bool, Int, Double, ClosedRange<Double>?)]
    )
    func `A timelapse has the last picture of each layer`(
        isBroken: Bool,
        next: Int,
        at time: Double,
        times: ClosedRange<Double>?
    ) {
        var watch = MomentWatch(.x)
        for step in begin + [running(1, 100, of: 9), running(1, 150, of: 9)] {
            _ = watch.follow(step.progress, step.events, at: step.at)
        }
        if isBroken { watch.loseSight() }
        _ = watch.follow(running(next, time, of: 9).progress, at: time)
        #expect(watch.endedLayer == times)
        _ = watch.follow(running(next, time + 1, of: 9).progress, at: time + 1)
        #expect(watch.endedLayer == nil)
    }

    @Test func `Each moment is shown once for a print, and anew for the next print`() {
        let first = begin + [running(1, 100), running(2, 200), running(1, 210), running(2, 220)]
        #expect(choices(of: first).count == 1)
        let next: Step = (1000, PrintProgress(.preparing), [.printStarted])
        #expect(choices(of: first + [next, running(1, 1100), running(2, 1200)]).count == 2)
    }
}
