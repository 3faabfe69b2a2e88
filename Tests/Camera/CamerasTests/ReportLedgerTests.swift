import Foundation
import OpenSSL
import StoredSettings
import TestSupport
import Testing

@testable import Cameras
@testable import PrinterReport

@Suite("The ledger of printers' own MQTT") struct ReportLedgerTests {
    private let folder: TemporaryDirectory
    private let clock = LockedValue(1_000.0)

    init() throws { folder = try TemporaryDirectory() }

    /// The ledger of one more run.
    private func ledger() -> ReportLedger {
        ReportLedger(CameraGate(DoorFile(path: folder.file("door").path) { [clock] in clock.value }))
    }

    private func begin(_ log: ReportLedger, _ serial: String = "a") -> Bool {
        var schedule = WitnessSchedule()
        return log.begin(serial, &schedule)
    }

    @Test
    func
        `The ledger allows four questions an hour to each printer, also after a kill, and the schedule learns of them`()
    {
        let answers = (0..<6).map { _ in begin(ledger()) }
        #expect(answers == [true, true, true, true, false, false])
        let log = ledger()
        #expect(log.wait("a").map { 3_590...3_600 ~= $0 } == true)
        #expect(log.wait("b") == nil)
        #expect(begin(log, "b"))
        var schedule = WitnessSchedule()
        #expect(!ledger().begin("a", &schedule))
        #expect(schedule.starts.count == 4)
    }

    @Test
    func `The ledger allows four connections a minute to a printer, and an access code a minute after its refusal`()
        async
    {
        let pin = TrustPolicy.pinned(sha256: "5a")
        var target = ReportTarget(host: "192.0.2.7", serial: "a", accessCode: "1", trust: pin, family: .x)
        for _ in 0..<4 { #expect(await ledger().reserveConnection(to: target) == nil) }
        #expect(await ledger().reserveConnection(to: target) == .seconds(60))
        clock.value += 60
        await ledger().noteRefusal(by: target)
        #expect(await ledger().reserveConnection(to: target) == .seconds(60))
        target.accessCode = "2"
        #expect(await ledger().reserveConnection(to: target) == nil)
    }

    @Test func `The ledger holds no serial number`() throws {
        _ = begin(ledger(), "00M00A000000001")
        ledger().keep(KeptReport(report, age: .zero), of: "00M00A000000001")
        #expect(try !String(contentsOf: folder.file("door"), encoding: .utf8).contains("00M00A"))
    }

    @Test func `The ledger allows one whole report in five minutes, whichever run or question asks for it`() {
        #expect(ledger().reserveReport(of: "a") == nil)
        #expect(ledger().reserveReport(of: "b") == nil)
        clock.value = 1_299
        #expect(ledger().reserveReport(of: "a") == .seconds(1))
        #expect(ledger().wait("a") == 1)
        var schedule = WitnessSchedule()
        #expect(!ledger().begin("a", &schedule))
        clock.value = 1_300
        #expect(ledger().begin("a", &schedule))
        #expect(ledger().reserveReport(of: "a") == nil)
        #expect(ledger().reserveReport(of: "a") == .seconds(300))
    }

    private let report = {
        var report = Report()
        _ = report.merge(Array(#"{"print":{"gcode_state":"RUNNING","subtask_name":"box","stg_cur":53}}"#.utf8))
        return report
    }()

    @Test func `The ledger keeps the memory of prints even if a client without prints keeps a report`() throws {
        var tracker = PrintTracker()
        _ = tracker.follow(report, .full, on: .x, at: Date(timeIntervalSince1970: 1_000.25))
        ledger().keep(KeptReport(report, tracker.memory, age: .zero), of: "a")
        ledger().keep(KeptReport(report, age: .zero), of: "a")
        #expect(tracker.memory != nil && ledger().report(of: "a")?.prints == tracker.memory)
        ledger().keep(KeptReport(report, age: .zero), of: "b")
        #expect(ledger().report(of: "b") == KeptReport(report, age: .zero))
    }
}
