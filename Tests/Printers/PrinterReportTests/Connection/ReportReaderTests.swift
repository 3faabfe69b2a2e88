import Cameras
import Foundation
import PrinterSimulator
import StoredSettings
import TestSupport
import Testing

@testable import PrinterReport

@Suite("The long connection to a printer", .endsAll, .timeLimit(.minutes(5)))
struct ReportReaderTests {
    private let updates = Updates()

    private func delta(_ fields: String) -> String { #"{"print":{"command":"push_status","msg":1,\#(fields)}}"# }

    /// How the first run ends: in good order, or so that only the folder remembers.
    @Test(arguments: [true, false])
    func `A restart needs no second whole report, loses no value and repeats no event`(isKilled: Bool) async throws {
        let printer = try await SimulatedReports.x1c()
        let folder = try TemporaryDirectory()
        var name = "door"
        func reader() -> ReportReader {
            let ledger = ReportLedger(CameraGate(DoorFile(path: folder.file(name).path)))
            return ReportReader(printer.target(), ledger, logger: quietLogger)
        }
        let task = updates.start(reader())
        try await eventually("the first report") { updates.last?.state?.values["firmware"] != nil }
        printer.say(delta(#""gcode_state":"RUNNING","mc_percent":1"#))
        try await eventually("the start") { updates.events == ["print_started"] }
        printer.say(delta(#""mc_percent":2"#))
        try await eventually("the progress") { updates.last?.state?.values["progress"] == 2 }
        if isKilled {
            name = "door of the killed run"
            try FileManager.default.copyItem(atPath: folder.file("door").path, toPath: folder.file(name).path)
        }
        task.cancel()
        await task.value
        let second = reader()
        #expect(second.known.state?.values["state"] == "running")
        #expect(second.known.state?.values["progress"] == (isKilled ? 1 : 2))
        let again = updates.start(second)
        try await eventually("the second connection") { printer.counts.connections == 2 }
        try await eventually("the delta") {
            printer.say(delta(#""mc_percent":3"#))
            return updates.last?.state?.values["progress"] == 3
        }
        printer.say(delta(#""gcode_state":"FINISH""#))
        try await eventually("the end") { updates.events.contains("print_finished") }
        #expect(updates.events.count { $0 == "print_started" } == 1)
        #expect(printer.counts.reports == 1)
        again.cancel()
        await again.value
        #expect(reader().known.state?.values["state"] == "finish")
    }

    @Test func `A restart does not try a refused access code again at once`() async throws {
        let (printer, ledger) = (try await SimulatedReports.x1c(), ReportLedger())
        func start() -> Task<Void, Never> {
            updates.start(ReportReader(printer.target(code: "87654321"), ledger, logger: quietLogger))
        }
        await start().value
        let second = start()
        try await Task.sleep(for: .milliseconds(300))
        second.cancel()
        await second.value
        #expect(printer.counts.refusals == 1)
    }
}
