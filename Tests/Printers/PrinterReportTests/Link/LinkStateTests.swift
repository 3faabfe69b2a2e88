import Testing

@testable import PrinterReport

@Suite("The state of the link to a printer")
struct LinkStateTests {
    private let begin = ContinuousClock.now
    private func at(_ seconds: Int) -> ContinuousClock.Instant { begin + .seconds(seconds) }

    /// A link that is connected and has a whole report.
    private func live(at seconds: Int) -> LinkState {
        var link = LinkState()
        _ = link.connected(at: at(seconds))
        link.heard(.full, at: at(seconds))
        return link
    }

    @Test func `A new connection asks for the version and the whole report`() {
        var link = LinkState()
        #expect(link.phase == .connecting)
        #expect(link.connected(at: at(0)) == [.send(.version), .send(.report)])
        #expect(link.session?.isCurrent == false)
        link.heard(.delta, at: at(1))
        #expect(link.session?.isCurrent == false)
        link.heard(.full, at: at(2))
        #expect(link.phase == .live(.init(since: at(0), heard: at(2), isCurrent: true)))
    }

    @Test func `After 60 s without a message the printer is asked to go on, and given up 30 s later`() {
        var link = live(at: 0)
        #expect(link.deadline == at(60))
        #expect(link.tick(at: at(59)) == [])
        #expect(link.tick(at: at(60)) == [.send(.start)])
        #expect(link.deadline == at(90))
        #expect(link.tick(at: at(89)) == [])
        #expect(link.tick(at: at(90)) == [.disconnect])
        link.lost(.silent, at: at(90), fraction: 0)
        #expect(link.phase == .waiting(.silent, until: at(95)))
        #expect(link.tick(at: at(95)) == [.connect])
        #expect(link.phase == .connecting)
    }

    @Test func `A message ends the silence`() {
        var link = live(at: 0)
        _ = link.tick(at: at(60))
        link.heard(.delta, at: at(70))
        #expect(link.deadline == at(130))
        #expect(link.session?.isCurrent == true)
    }

    @Test func `Pauses between attempts double from 5 seconds to 5 minutes, and a report resets them`() {
        var link = LinkState()
        var (now, pauses) = (0, [Int]())
        for _ in 0..<9 {
            link.lost(.unreachable, at: at(now), fraction: 0)
            guard let deadline = link.deadline else { break }
            pauses.append(Int((deadline - at(now)).components.seconds))
            now += pauses.last ?? 0
            #expect(link.tick(at: at(now)) == [.connect])
        }
        #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300])
        _ = link.connected(at: at(now))
        link.heard(.full, at: at(now))
        link.lost(.lost, at: at(now + 100), fraction: 0)
        #expect(link.phase == .waiting(.lost, until: at(now + 105)))
    }

    @Test func `Attempts of several links spread`() {
        var link = LinkState()
        link.lost(.unreachable, at: at(0), fraction: 1)
        #expect(link.deadline == at(6))
    }

    @Test func `The whole report is not requested while forbidden, not even by a new connection`() {
        var link = live(at: 0)
        link.lost(.lost, at: at(100), fraction: 0)
        _ = link.tick(at: at(105))
        #expect(link.connected(at: at(106)) == [.send(.version), .send(.report)])
        link.postponeReport(until: at(300))
        for time in stride(from: 150, to: 300, by: 50) {
            link.heard(.delta, at: at(time))
            #expect(link.tick(at: at(time)) == [])
            #expect(link.askForReport(at: at(time)) == [])
        }
        #expect(link.deadline == at(300))
        #expect(link.tick(at: at(300)) == [.send(.report)])
        #expect(link.deadline == at(310))
        link.heard(.full, at: at(301))
        #expect(link.askForReport(at: at(400)) == [.send(.report)])
    }

    @Test func `A missing whole report is requested again after five minutes, even by a new connection`() {
        var link = LinkState()
        _ = link.connected(at: at(0))
        link.heard(.delta, at: at(290))
        #expect(link.deadline == at(300))
        #expect(link.tick(at: at(300)) == [.send(.report)])
        link.lost(.lost, at: at(310), fraction: 0)
        _ = link.tick(at: at(315))
        #expect(link.connected(at: at(315)) == [.send(.version)])
        link.heard(.delta, at: at(590))
        #expect(link.tick(at: at(600)) == [.send(.report)])
        link.heard(.full, at: at(601))
        link.heard(.delta, at: at(900))
        #expect(link.deadline == at(960))
    }

    @Test func `A break that ends within two minutes of the last message loses nothing that was known`() {
        var link = live(at: 0)
        link.heard(.delta, at: at(50))
        link.lost(.lost, at: at(100), fraction: 0)
        #expect(link.isReportKnown)
        #expect(link.tick(at: at(105)) == [.connect])
        #expect(link.isReportKnown)
        _ = link.connected(at: at(169))
        #expect(link.isReportKnown && link.phase.status == .connected)
    }

    @Test func `A lost connection's report expires two minutes after its last message, even in a pause`() {
        var link = live(at: 0)
        link.lost(.lost, at: at(45), fraction: 0)
        for time in [50, 60, 80] {
            #expect(link.tick(at: at(time)) == [.connect])
            link.lost(.unreachable, at: at(time), fraction: 0)
        }
        #expect(link.phase == .waiting(.unreachable, until: at(120)))
        #expect(link.tick(at: at(120)) == [.connect])
        #expect(!link.isReportKnown)
        _ = link.connected(at: at(300))
        #expect(!link.isReportKnown && link.phase.status == .waiting)
    }

    @Test func `A connection within five minutes of the last message continues with the known report`() {
        var link = live(at: 0)
        link.lost(.lost, at: at(45), fraction: 0)
        #expect(link.tick(at: at(120)) == [.connect])
        #expect(!link.isReportKnown)
        #expect(link.connected(at: at(299)) == [.send(.version), .send(.report)])
        link.postponeReport(until: at(300))
        #expect(link.isReportKnown && link.phase.status == .connected)
        // A connection without a message makes it no younger.
        link.lost(.silent, at: at(299), fraction: 0)
        _ = link.tick(at: at(305))
        #expect(link.connected(at: at(305)) == [.send(.version), .send(.report)])
        #expect(!link.isReportKnown)
    }

    @Test(arguments: [10, 119, 120, 299, 300])
    func `A report of an earlier run is shown for two minutes, and is a base for five`(age: Int) {
        var link = LinkState()
        link.restore(at(-age), at: at(0))
        #expect(link.isReportKnown == (age < 120))
        _ = link.connected(at: at(0))
        #expect(link.isReportKnown == (age < 300))
    }

    @Test func `If another process asked for the whole report, the link asks later unless it arrives`() {
        for comes in [false, true] {
            var link = LinkState()
            _ = link.connected(at: at(0))
            link.postponeReport(until: at(50))
            link.heard(comes ? .full : .delta, at: at(10))
            #expect(link.deadline == at(comes ? 70 : 50))
            #expect(link.tick(at: at(50)) == (comes ? [] : [.send(.report)]))
        }
    }

    @Test func `A report expires while the link yields, and at once when the access code is refused`() {
        var link = LinkState()
        for _ in 0..<3 {
            _ = link.connected(at: at(0))
            link.heard(.full, at: at(0))
            link.lost(.lost, at: at(1), fraction: 0)
        }
        #expect(link.isReportKnown && link.deadline == at(120))
        #expect(link.tick(at: at(120)) == [])
        #expect(!link.isReportKnown && link.deadline == at(1_801))
        link = live(at: 0)
        link.lost(.codeRefused, at: at(1))
        #expect(!link.isReportKnown)
    }

    @Test func `Three connections in a row of under 60 seconds make the link yield for 30 minutes`() {
        var link = LinkState()
        for round in 0..<3 {
            _ = link.connected(at: at(round * 100))
            link.heard(.full, at: at(round * 100))
            link.lost(.lost, at: at(round * 100 + 59), fraction: 0)
        }
        #expect(link.phase == .yielding(until: at(259 + 1_800)))
        #expect(link.tick(at: at(259 + 1_799)) == [])
        #expect(link.tick(at: at(259 + 1_800)) == [.connect])
    }

    @Test func `A lasting connection ends the count of short ones, but a failed attempt does not`() {
        var link = LinkState()
        for lifetime in [59, 59, 60, 59, 59] {
            _ = link.connected(at: at(0))
            link.lost(.lost, at: at(lifetime))
            guard case .waiting = link.phase else {
                Issue.record("yields too early")
                return
            }
        }
        link.lost(.closed, at: at(500))
        _ = link.connected(at: at(600))
        link.lost(.lost, at: at(601))
        #expect(link.phase == .yielding(until: at(601 + 1_800)))
    }

    @Test(arguments: LinkProblem.allCases)
    func `Only a refused access code ends the attempts`(problem: LinkProblem) {
        var link = LinkState()
        link.lost(problem, at: at(0), fraction: 0)
        let isRefused = link.phase == .refused(problem)
        #expect(isRefused == (problem == .codeRefused))
        #expect((link.deadline == nil) == isRefused)
    }
}
