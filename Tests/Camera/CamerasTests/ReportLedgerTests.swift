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

    @Test func `The ledger allows four questions an hour and 12 a day to each printer, also after a kill`() {
        var asked: [Double] = []
        while asked.count < 16 {
            if let wait = ledger().reserveQuestion(to: "a") {
                clock.value += wait
            } else {
                asked.append((clock.value - 1_000) / 3_600)
            }
        }
        #expect(asked == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 24, 24, 24, 24])
        #expect(ledger().wait("a") == 3_600 && ledger().wait("b") == nil)
        #expect(ledger().reserveQuestion(to: "b") == nil)
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
        _ = ledger().reserveQuestion(to: "00M00A000000001")
        ledger().keep(KeptReport(report, age: .zero), of: "00M00A000000001")
        #expect(try !String(contentsOf: folder.file("door"), encoding: .utf8).contains("00M00A"))
    }

    @Test func `The ledger allows one whole report in five minutes, whichever run or question asks for it`() {
        #expect(ledger().reserveReport(of: "a") == nil)
        #expect(ledger().reserveReport(of: "b") == nil)
        clock.value = 1_299
        #expect(ledger().reserveReport(of: "a") == .seconds(1))
        #expect(ledger().wait("a") == 1)
        #expect(ledger().reserveQuestion(to: "a") == 1)
        clock.value = 1_300
        #expect(ledger().reserveQuestion(to: "a") == nil)
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
