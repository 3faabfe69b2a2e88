import PrinterSimulator
import StoredSettings
import TestSupport
import Testing

@testable import PrinterLink

@Suite("The long connection to a printer", .timeLimit(.minutes(5)))
struct TelemetryLinkTests {
    private let updates = Updates()

    private func run(_ target: LinkTarget, from state: LinkState = LinkState()) -> Task<Void, Never> {
        let link = TelemetryLink(target, from: state, logger: quietLogger) { [updates] in updates.append($0) }
        return Task { await link.run() }
    }

    private func delta(_ fields: String) -> String { #"{"print":{"command":"push_status","msg":1,\#(fields)}}"# }

    @Test("follows a print, asks for the whole report once, controls nothing, and says goodbye")
    func followsPrint() async throws {
        let printer = try await SimulatedReports.x1c()
        let task = run(printer.target())
        try await eventually("the first report") { updates.last?.state?.values["firmware"] != nil }
        printer.say(delta(#""gcode_state":"RUNNING","mc_percent":1"#))
        printer.say(delta(#""mc_percent":2"#))
        printer.say(#"{"print":{"result":"success","mc_percent":77}}"#)
        try await eventually("the progress") { updates.last?.state?.values["progress"] == 2 }
        printer.say(delta(#""gcode_state":"FINISH""#))
        try await eventually("the end") { updates.events == ["print_started", "print_finished"] }
        task.cancel()
        await task.value
        var expected = SimulatedReports.Counts()
        (expected.connections, expected.disconnects, expected.reports) = (1, 1, 1)
        #expect(try await printer.countsAtEnd() == expected)
        await printer.stop()
    }

    @Test("connects again after a short break, and goes on with what it knows")
    func shortBreak() async throws {
        let printer = try await SimulatedReports.x1c()
        let task = run(printer.target())
        try await eventually("the first report") { updates.last?.state != nil }
        printer.disconnectAll()
        try await eventually("the pause") { updates.problems == [.lost] }
        try await eventually("the second connection") { printer.counts.connections == 2 && printer.counts.open == 1 }
        try await eventually("the delta") {
            // Nobody hears it before the new connection has subscribed.
            printer.say(delta(#""mc_percent":2"#))
            return updates.last?.state?.values["progress"] == 2
        }
        #expect(updates.afterFirstState.allSatisfy { $0.state?.values["state"] == "idle" })
        #expect(printer.counts.reports == 1)
        #expect(updates.events == [])
        task.cancel()
        await task.value
        await printer.stop()
    }

    @Test("shows nothing after a long break, until a whole report has arrived")
    func longBreak() async throws {
        let printer = try await SimulatedReports.x1c()
        var link = LinkState()
        link.grace = .zero
        let task = run(printer.target(), from: link)
        try await eventually("the first report") { updates.last?.state != nil }
        printer.disconnectAll()
        try await eventually("that nothing is known") { updates.problems.contains(.lost) && updates.last?.state == nil }
        try await eventually("the second connection") { printer.counts.connections == 2 && printer.counts.open == 1 }
        try await eventually("the delta") {
            printer.say(delta(#""mc_percent":2"#))
            return if case .live = updates.last?.phase { true } else { false }
        }
        #expect(updates.last?.state == nil)
        printer.say(linkReport)
        try await eventually("the second report") { updates.last?.state != nil }
        #expect(updates.events == [])
        task.cancel()
        await task.value
        await printer.stop()
    }

    @Test("ends when the printer refuses the access code")
    func refused() async throws {
        let printer = try await SimulatedReports.x1c()
        await run(printer.target(code: "00000000")).value
        #expect(updates.last?.phase == .refused(.codeRefused))
        #expect(printer.counts.refusals == 1)
        await printer.stop()
    }

    @Test("asks for the whole report when the contents of the AMS change, but not twice in five minutes")
    func filamentCue() async throws {
        let printer = try await SimulatedReports.x1c()
        let task = run(printer.target())
        try await eventually("the first report") { updates.last?.state != nil }
        printer.say(delta(#""ams":{"version":2}"#))
        printer.say(delta(#""mc_percent":3"#))
        try await eventually("the delta") { updates.last?.state?.values["progress"] == 3 }
        #expect(printer.counts.reports == 1)
        task.cancel()
        await task.value
        await printer.stop()
    }
}
