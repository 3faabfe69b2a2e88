import Testing

@testable import PrinterReport

@Suite("When a printer's report is read")
struct ReaderStateTests {
    private let begin = ContinuousClock.now
    private func at(_ seconds: Int) -> ContinuousClock.Instant { begin + .seconds(seconds) }

    /// A reader that is connected and has a whole report.
    private func live(at seconds: Int) -> ReaderState {
        var reader = ReaderState()
        _ = reader.connected(at: at(seconds))
        reader.heard(.full, at: at(seconds))
        return reader
    }

    @Test func `A new connection asks for the version and the whole report`() {
        var reader = ReaderState()
        #expect(reader.phase == .connecting)
        #expect(reader.connected(at: at(0)) == [.send(.version), .send(.report)])
        #expect(reader.session?.isCurrent == false)
        reader.heard(.delta, at: at(1))
        #expect(reader.session?.isCurrent == false)
        reader.heard(.full, at: at(2))
        #expect(reader.phase == .live(.init(since: at(0), heard: at(2), isCurrent: true)))
    }

    @Test func `After 60 s without a message the printer is asked to go on, and given up 30 s later`() {
        var reader = live(at: 0)
        #expect(reader.deadline == at(60))
        #expect(reader.tick(at: at(59)) == [])
        #expect(reader.tick(at: at(60)) == [.send(.start)])
        #expect(reader.deadline == at(90))
        #expect(reader.tick(at: at(89)) == [])
        #expect(reader.tick(at: at(90)) == [.disconnect])
        reader.lost(.silent, at: at(90), fraction: 0)
        #expect(reader.phase == .waiting(.silent, until: at(95)))
        #expect(reader.tick(at: at(95)) == [.connect])
        #expect(reader.phase == .connecting)
    }

    @Test func `A message ends the silence`() {
        var reader = live(at: 0)
        _ = reader.tick(at: at(60))
        reader.heard(.delta, at: at(70))
        #expect(reader.deadline == at(130))
        #expect(reader.session?.isCurrent == true)
    }

    @Test func `Pauses between attempts double from 5 seconds to 5 minutes, and a report resets them`() {
        var reader = ReaderState()
        var (now, pauses) = (0, [Int]())
        for _ in 0..<9 {
            reader.lost(.unreachable, at: at(now), fraction: 0)
            guard let deadline = reader.deadline else { break }
            pauses.append(Int((deadline - at(now)).components.seconds))
            now += pauses.last ?? 0
            #expect(reader.tick(at: at(now)) == [.connect])
        }
        #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300])
        _ = reader.connected(at: at(now))
        reader.heard(.full, at: at(now))
        reader.lost(.lost, at: at(now + 100), fraction: 0)
        #expect(reader.phase == .waiting(.lost, until: at(now + 105)))
        var other = ReaderState()
        other.lost(.unreachable, at: at(0), fraction: 1)
        #expect(other.deadline == at(4), "attempts of several readers spread")
        for _ in 0..<6 { other.lost(.unreachable, at: at(0), fraction: 1) }
        #expect(other.deadline == at(240))
    }

    @Test func `The whole report is not requested while forbidden, not even by a new connection`() {
        var reader = live(at: 0)
        reader.lost(.lost, at: at(100), fraction: 0)
        _ = reader.tick(at: at(105))
        #expect(reader.connected(at: at(106)) == [.send(.version), .send(.report)])
        reader.postponeReport(until: at(300))
        for time in stride(from: 150, to: 300, by: 50) {
            reader.heard(.delta, at: at(time))
            #expect(reader.tick(at: at(time)) == [])
            #expect(reader.askForReport(at: at(time)) == [])
        }
        #expect(reader.deadline == at(300))
        #expect(reader.tick(at: at(300)) == [.send(.report)])
        #expect(reader.deadline == at(310))
        reader.heard(.full, at: at(301))
        #expect(reader.askForReport(at: at(400)) == [.send(.report)])
    }

    @Test func `A missing whole report is requested again after five minutes, even by a new connection`() {
        var reader = ReaderState()
        _ = reader.connected(at: at(0))
        reader.heard(.delta, at: at(290))
        #expect(reader.deadline == at(300))
        #expect(reader.tick(at: at(300)) == [.send(.report)])
        reader.lost(.lost, at: at(310), fraction: 0)
        _ = reader.tick(at: at(315))
        #expect(reader.connected(at: at(315)) == [.send(.version)])
        reader.heard(.delta, at: at(590))
        #expect(reader.tick(at: at(600)) == [.send(.report)])
        reader.heard(.full, at: at(601))
        reader.heard(.delta, at: at(900))
        #expect(reader.deadline == at(960))
    }

    @Test func `A lost connection's report expires two minutes after its last message, even in a pause`() {
        var reader = live(at: 0)
        reader.lost(.lost, at: at(45), fraction: 0)
        for time in [50, 60, 80] {
            #expect(reader.tick(at: at(time)) == [.connect])
            reader.lost(.unreachable, at: at(time), fraction: 0)
        }
        #expect(reader.phase == .waiting(.unreachable, until: at(120)))
        #expect(reader.tick(at: at(120)) == [.connect])
        #expect(!reader.isReportKnown)
        _ = reader.connected(at: at(300))
        #expect(!reader.isReportKnown && reader.phase.status == .waiting)
    }

    @Test func `A connection within five minutes of the last message continues with the known report`() {
        var reader = live(at: 0)
        reader.lost(.lost, at: at(45), fraction: 0)
        #expect(reader.tick(at: at(120)) == [.connect])
        #expect(!reader.isReportKnown)
        #expect(reader.connected(at: at(299)) == [.send(.version), .send(.report)])
        reader.postponeReport(until: at(300))
        #expect(reader.isReportKnown && reader.phase.status == .connected)
        // A connection without a message makes it no younger.
        reader.lost(.silent, at: at(299), fraction: 0)
        _ = reader.tick(at: at(305))
        #expect(reader.connected(at: at(305)) == [.send(.version), .send(.report)])
        #expect(!reader.isReportKnown)
    }

    @Test(arguments: [10, 119, 120, 299, 300])
    func `A report of an earlier run is shown for two minutes, and is a base for five`(age: Int) {
        var reader = ReaderState()
        reader.restore(at(-age), at: at(0))
        #expect(reader.isReportKnown == (age < 120))
        _ = reader.connected(at: at(0))
        #expect(reader.isReportKnown == (age < 300))
    }

    @Test func `A report expires while the reader yields, and at once when the access code is refused`() {
        var reader = ReaderState()
        for _ in 0..<3 {
            _ = reader.connected(at: at(0))
            reader.heard(.full, at: at(0))
            reader.lost(.lost, at: at(1), fraction: 0)
        }
        #expect(reader.isReportKnown && reader.deadline == at(120))
        #expect(reader.tick(at: at(120)) == [])
        #expect(!reader.isReportKnown && reader.deadline == at(1_801))
        reader = live(at: 0)
        reader.lost(.codeRefused, at: at(1))
        #expect(!reader.isReportKnown)
    }

    @Test func `A lasting connection ends the count of short ones, but a failed attempt does not`() {
        var reader = ReaderState()
        for lifetime in [59, 59, 60, 59, 59] {
            _ = reader.connected(at: at(0))
            reader.lost(.lost, at: at(lifetime))
            guard case .waiting = reader.phase else {
                Issue.record("yields too early")
                return
            }
        }
        reader.lost(.closed, at: at(500))
        _ = reader.connected(at: at(600))
        reader.lost(.lost, at: at(601))
        #expect(reader.phase == .yielding(until: at(601 + 1_800)))
    }

    @Test(arguments: ReportProblem.allCases)
    func `Only a refused access code ends the attempts`(problem: ReportProblem) {
        var reader = ReaderState()
        reader.lost(problem, at: at(0), fraction: 0)
        let isRefused = reader.phase == .refused(problem)
        #expect(isRefused == (problem == .codeRefused))
        #expect((reader.deadline == nil) == isRefused)
    }
}
