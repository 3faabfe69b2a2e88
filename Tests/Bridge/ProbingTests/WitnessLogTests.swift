import Foundation
import PrinterLink
import TestSupport
import Testing

@testable import Probing

@Suite("The log of questions to printers") struct WitnessLogTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.file("witnesses").path }

    init() throws { folder = try TemporaryDirectory() }

    private func begin(_ log: WitnessLog, _ serial: String = "a") -> Bool {
        var schedule = WitnessSchedule()
        return log.begin(serial, &schedule)
    }

    @Test("allows four questions an hour to each printer, whichever process asks, also after a kill")
    func shared() {
        let answers = (0..<6).map { _ in begin(WitnessLog(file: path)) }
        #expect(answers == [true, true, true, true, false, false])
        let log = WitnessLog(file: path)
        #expect(log.wait("a").map { 3_590...3_600 ~= $0 } == true)
        #expect(log.wait("b") == nil)
        #expect(begin(log, "b"))
    }

    @Test("tells the schedule of this process about the questions of others")
    func learns() {
        for _ in 0..<4 { _ = begin(WitnessLog(file: path)) }
        var schedule = WitnessSchedule()
        #expect(!WitnessLog(file: path).begin("a", &schedule))
        #expect(schedule.starts.count == 4)
    }

    @Test("counts in this process alone where there is no file, or none that can be written")
    func memory() {
        for log in [WitnessLog(), WitnessLog(file: "/proc/none")] {
            #expect((0..<5).map { _ in begin(log) } == [true, true, true, true, false])
        }
    }

    @Test(
        "takes a damaged file, and one of another start of the machine, as empty",
        arguments: ["", "{", "[]", #"{"boot":"7","1":[1]}"#]
    )
    func damaged(text: String) throws {
        for _ in 0..<4 { _ = begin(WitnessLog(file: path)) }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(begin(WitnessLog(file: path)))
    }

    @Test("holds no serial number, and is the owner's alone")
    func discretion() throws {
        _ = begin(WitnessLog(file: path), "00M00A000000001")
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("00M00A"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
