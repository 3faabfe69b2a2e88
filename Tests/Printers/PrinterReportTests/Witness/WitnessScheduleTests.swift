import CameraProtocols
import Testing

@testable import PrinterReport

@Suite("When a printer is asked why its camera fails")
struct WitnessScheduleTests {
    @Test func `The second failure in a row is a reason, the first is not`() {
        var schedule = WitnessSchedule()
        schedule.note(.tcpRefused, at: 0)
        #expect(schedule.next == nil)
        schedule.note(nil, at: 1)
        schedule.note(.tcpRefused, at: 2)
        schedule.ask(at: 2)
        #expect(schedule.next == nil, "a question of a person is no reason")
        schedule.note(.busy, at: 3, fraction: 1)
        #expect(schedule.next == 8)
        schedule.note(nil, at: 4)
        #expect(schedule.next == nil)
    }

    @Test func `It is asked again after 5, 15 and 60 minutes, and a question that is forbidden waits`() {
        var schedule = WitnessSchedule()
        for time in [0.0, 0.0] { schedule.note(.noFrame, at: time, fraction: 0) }
        var asked: [Double] = []
        for wait: Double? in [nil, nil, 100, nil, nil, nil] {
            let now = schedule.next ?? .infinity
            schedule.ask(at: now, wait: wait, fraction: 0)
            if wait == nil { asked.append(now) }
        }
        #expect(asked == [0, 300, 1_300, 4_900, 8_500])
        schedule.ask(at: 8_600, wait: 100)
        #expect(schedule.next == 12_100, "refused to somebody else")
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
