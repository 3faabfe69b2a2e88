import Printers
import StoredSettings
import Testing

@testable import PrinterReport
@testable import PrinterSimulator

@Suite("The reports of a simulated printer")
struct SimulatedModelTests {
    private func writer(_ model: SimulatedModel, duration: Double? = 1_000) -> ReportWriter {
        ReportWriter(
            model: model,
            serial: model.serial(1),
            print: SimulatedPrint(duration: duration),
            streamURL: "rtsps://192.0.2.1/streaming/live/1"
        )
    }

    @Test(arguments: SimulatedModel.allCases)
    func `A simulated printer reports as its model does, by deltas as in whole reports`(model: SimulatedModel) throws {
        let setting = try #require(PrinterModel(rawValue: model.rawValue))
        let family = try #require(PrinterFamily(setting, serial: ""))
        let writer = writer(model)
        var observer = PrintObserver(on: family)
        var fields = writer.fields(at: 0)
        observer.see(writer.report(fields, sequence: 1))
        observer.see(writer.version(sequence: "0"))
        var events: [PrintEvent] = []
        for second in stride(from: 10.0, through: 1_190, by: 10) {
            let changed = writer.fields(at: second)
            let delta = writer.delta(fields, changed, sequence: 2)
            fields = changed
            events += observer.see(try #require(delta), after: 10)
            var whole = Report()
            _ = whole.merge(Array(writer.report(fields, sequence: 3).utf8))
            _ = whole.merge(Array(writer.version(sequence: "0").utf8))
            #expect(observer.state?.values == PrintState(whole, on: family).values)
        }
        // The second print begins after a pause.
        let lines = ["filament_changed 0/1 PETG", "print_finished", "print_started"]
        #expect(events.map(\.line).filter { !$0.hasSuffix("PLA") } == lines)
        let json = try #require(observer.state).json
        #expect(json["state"] == "prepare" && json["firmware"] != .null)
        #expect((json["chamber_temperature"] == .null) == [.p, .a, .l].contains(family))
        #expect(json["liveview"] == (family.reportsLiveview ? "on" : .null))
        #expect((json["nozzles"] != nil) == model.hasTwoNozzles)
    }

    /// How a print goes, and the events that a client sees.
    static let outcomes: [(SimulatedPrint.Outcome, [String])] = [
        (.finished, ["print_finished"]),
        (.paused, ["print_paused filament_ran_out 0700_8011", "printer_error 0700_8011", "print_finished"]),
        (.failed, ["print_failed 0300_8003", "printer_error 0300_8003"]),
        (.cancelled, ["print_cancelled"]),
    ]

    @Test(arguments: outcomes)
    func `A simulated printer's reports tell how a print goes`(outcome: SimulatedPrint.Outcome, lines: [String]) throws
    {
        var writer = writer(.p1s)
        writer.print.outcome = outcome
        var observer = PrintObserver(on: .p)
        var events: [PrintEvent] = []
        for second in stride(from: 0.0, through: 1_100, by: 10) {
            events += observer.see(writer.report(writer.fields(at: second), sequence: 1), after: 10)
        }
        #expect(events.filter { $0.kind != .filamentChanged }.map(\.line) == lines)
        #expect(observer.state?.shown.isActive == false && observer.state?.error == nil)
    }
}
