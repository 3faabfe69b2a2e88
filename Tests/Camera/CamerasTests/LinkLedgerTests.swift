import Foundation
import StoredSettings
import TestSupport
import Testing

@testable import Cameras
@testable import PrinterReport

@Suite("The ledger of printers' own MQTT") struct LinkLedgerTests {
    private let folder: TemporaryDirectory
    private var path: String { get throws { folder.file(try #require(files("asked").first)).path } }

    init() throws { folder = try TemporaryDirectory() }

    private func begin(_ log: LinkLedger, _ serial: String = "a") -> Bool {
        var schedule = WitnessSchedule()
        return log.begin(serial, &schedule)
    }

    @Test("allows four questions an hour to each printer, whichever process asks, also after a kill")
    func shared() {
        let answers = (0..<6).map { _ in begin(LinkLedger(folder: folder.url.path)) }
        #expect(answers == [true, true, true, true, false, false])
        let log = LinkLedger(folder: folder.url.path)
        #expect(log.wait("a").map { 3_590...3_600 ~= $0 } == true)
        #expect(log.wait("b") == nil)
        #expect(begin(log, "b"))
    }

    @Test("tells the schedule of this process about the questions of others")
    func learns() {
        for _ in 0..<4 { _ = begin(LinkLedger(folder: folder.url.path)) }
        var schedule = WitnessSchedule()
        #expect(!LinkLedger(folder: folder.url.path).begin("a", &schedule))
        #expect(schedule.starts.count == 4)
    }

    @Test("counts in this process alone where there is no file, or none that can be written")
    func memory() {
        for log in [LinkLedger(), LinkLedger(folder: "/proc/none")] {
            #expect((0..<5).map { _ in begin(log) } == [true, true, true, true, false])
        }
    }

    @Test(
        "takes a damaged file, and one of another start of the machine, as empty",
        arguments: ["", "{", "[]", #"{"boot":"7","1":[1]}"#]
    )
    func damaged(text: String) throws {
        for _ in 0..<4 { _ = begin(LinkLedger(folder: folder.url.path)) }
        try text.write(toFile: try path, atomically: false, encoding: .utf8)
        #expect(begin(LinkLedger(folder: folder.url.path)))
    }

    @Test("holds no serial number, and is the owner's alone")
    func discretion() throws {
        _ = begin(LinkLedger(folder: folder.url.path), "00M00A000000001")
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("00M00A") && !path.contains("00M00A"))
        let mode = try FileManager.default.attributesOfItem(atPath: try path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("allows one whole report in five minutes, whichever process or question asks for it")
    func wholeReport() {
        let clock = LockedValue(1_000.0)
        func ledger() -> LinkLedger { LinkLedger(folder: folder.url.path) { clock.value } }
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
        _ = report.merge(
            Array(
                #"""
                {"print":{"command":"push_status","msg":0,"gcode_state":"RUNNING","subtask_name":"box","stg_cur":53}}
                """#.utf8
            )
        )
        return report
    }()

    private func files(_ kind: String = "report") -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return names?.filter { $0.hasPrefix("\(kind)-") } ?? []
    }

    @Test("keeps the latest report of a printer for five minutes, for the owner of the folder alone")
    func whole() throws {
        let clock = LockedValue(1_000.0)
        func ledger() -> LinkLedger { LinkLedger(folder: folder.url.path) { clock.value } }
        ledger().keep(KeptReport(report, age: .seconds(10)), of: "00M00A000000001")
        #expect(ledger().report(of: "00M00A000000001") == KeptReport(report, age: .seconds(10)))
        #expect(ledger().report(of: "00M00A000000002") == nil)
        #expect(files().count == 1 && !files()[0].contains("00M00A"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file(files()[0]).path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        clock.value = 1_290
        #expect(ledger().report(of: "00M00A000000001") == nil)
    }

    @Test("keeps the memory of prints beside the report, also if a client that does not follow prints keeps a report")
    func prints() throws {
        var tracker = PrintTracker()
        _ = tracker.follow(report, isWhole: true, on: .x, at: Date(timeIntervalSince1970: 1_000.25))
        func ledger() -> LinkLedger { LinkLedger(folder: folder.url.path) { 1_000 } }
        ledger().keep(KeptReport(report, tracker.memory, age: .zero), of: "a")
        ledger().keep(KeptReport(report, age: .zero), of: "a")
        #expect(tracker.memory != nil && ledger().report(of: "a")?.prints == tracker.memory)
        ledger().keep(KeptReport(report, age: .zero), of: "b")
        #expect(ledger().report(of: "b") == KeptReport(report, age: .zero))
    }

    @Test("forgets the report of a printer that was removed")
    func forgotten() {
        for folder in [folder.url.path, nil] {
            let ledger = LinkLedger(folder: folder)
            ledger.keep(KeptReport(report, age: .zero), of: "a")
            #expect(ledger.report(of: "a")?.report == report)
            ledger.forgetReport(of: "a")
            #expect(ledger.report(of: "a") == nil && files() == [])
        }
    }

    @Test("removes reports of printers of which no bridge knows any more, and questions after a day")
    func leftover() throws {
        let ledger = LinkLedger(folder: folder.url.path)
        ledger.keep(KeptReport(report, age: .zero), of: "a")
        _ = begin(ledger)
        for (seconds, reports, questions) in [(0.0, 1, 1), (301, 0, 1), (86_401, 0, 0)] {
            for name in files() + files("asked") {
                let path = folder.file(name).path
                try FileManager.default.setAttributes([.modificationDate: Date() - seconds], ofItemAtPath: path)
            }
            _ = LinkLedger(folder: folder.url.path)
            #expect(files().count == reports && files("asked").count == questions, "\(seconds) s")
        }
    }

    @Test(
        "takes a damaged report, and one of another start of the machine, as none",
        arguments: ["", "{", "[]", #"{"boot":"7","at":1}"#]
    )
    func damagedReport(text: String) throws {
        LinkLedger(folder: folder.url.path).keep(KeptReport(report, age: .zero), of: "a")
        try text.write(to: folder.file(files()[0]), atomically: false, encoding: .utf8)
        #expect(LinkLedger(folder: folder.url.path).report(of: "a") == nil)
    }
}
