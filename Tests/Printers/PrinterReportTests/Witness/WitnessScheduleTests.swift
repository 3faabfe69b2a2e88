import CameraProtocols
import Testing

@testable import PrinterReport

@Suite("When a printer is asked why its camera fails")
struct WitnessScheduleTests {
    private static let minute = 60.0

    /// Runs the camera's failure for a time; returns when the printer was asked.
    private func questions(_ schedule: inout WitnessSchedule, from begin: Double, for seconds: Double) -> [Double] {
        var asked: [Double] = []
        var now = begin
        while let next = schedule.next, max(next, now) < begin + seconds {
            now = max(next, now)
            schedule.ask(at: now, fraction: 0)
            asked.append(now - begin)
        }
        return asked
    }

    @Test func `The second failure in a row is a reason, the first is not`() {
        var schedule = WitnessSchedule()
        schedule.note(.tcpRefused, at: 0)
        #expect(schedule.next == nil)
        schedule.note(nil, at: 1)
        schedule.note(.tcpRefused, at: 2)
        #expect(schedule.next == nil)
        schedule.note(.busy, at: 3, fraction: 1)
        #expect(schedule.next == 8)
        schedule.note(nil, at: 4)
        #expect(schedule.next == nil)
    }

    @Test func `It is asked again after 5, 15 and 60 minutes, at most 12 times a day`() {
        var schedule = WitnessSchedule()
        for time in [0.0, 0.0] { schedule.note(.noFrame, at: time, fraction: 0) }
        let asked = questions(&schedule, from: 0, for: 86_400)
        #expect(asked.prefix(5).map { $0 / Self.minute } == [0, 5, 20, 80, 140])
        #expect(asked.count == 12)
        #expect(schedule.next == 86_400)
    }

    @Test func `Questions of people count: four an hour, whoever asks`() {
        var schedule = WitnessSchedule()
        for time in [0.0, 100, 200] {
            #expect(schedule.allows(at: time))
            schedule.ask(at: time)
        }
        for time in [300.0, 300.0] { schedule.note(.closedEarly, at: time, fraction: 0) }
        #expect(questions(&schedule, from: 300, for: 3_600) == [0, 3_300])
        #expect(!schedule.allows(at: 3_601))
        #expect(schedule.allows(at: 3_700))
    }

    @Test func `A restart remembers the earlier questions`() {
        let schedule = WitnessSchedule(starts: [40, 10, 30, 20])
        #expect(!schedule.allows(at: 3_609))
        #expect(schedule.allows(at: 3_610))
    }

    /// Failures of the camera that the printer need not explain.
    static let explained: [ProbeReason] = [
        .dnsFailed, .tcpTimeout, .tlsUntrusted, .certificateChanged, .serverUnproven, .unauthorized, .redirected,
    ]

    @Test(arguments: ProbeReason.allCases)
    func `Two failures are a reason unless the probe explains them`(reason: ProbeReason) {
        var schedule = WitnessSchedule()
        for time in [0.0, 1.0] { schedule.note(reason, at: time) }
        #expect((schedule.next == nil) == Self.explained.contains(reason))
    }

    @Test func `Questions to several printers spread`() {
        var schedule = WitnessSchedule()
        schedule.note(.busy, at: 0)
        schedule.note(.busy, at: 0, fraction: 0.5)
        #expect(schedule.next == 2.5)
        schedule.ask(at: 2.5, fraction: 1)
        #expect(schedule.next.map { abs($0 - 332.5) < 0.001 } == true)
    }
}
