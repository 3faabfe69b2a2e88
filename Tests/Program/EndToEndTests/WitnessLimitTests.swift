import Foundation
import PrinterSimulator
import TestSupport
import Testing

@Suite("One limit for the printer's own MQTT", .endsAll, .timeLimit(.minutes(5)))
struct WitnessLimitTests {
    /// A printer whose camera fails, and a program that knows it as `x1`.
    private func start(_ folder: TemporaryDirectory, _ broker: MosquittoBroker) async throws
        -> (SimulatedReports, Program)
    {
        let host = "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...254)).1"
        var configuration = SimulatedPrinterConfiguration(serial: SimulatedModel.x1c.serial(1), accessCode: "12345678")
        (configuration.host, configuration.hasLiveview, configuration.reportsPort) = (host, false, 8883)
        configuration.connections = 4
        let printer = try await WholePrinter.start(configuration)
        EndingTrait.atEnd { await printer.stop() }
        let reports = try #require(printer.reports)
        let authority = folder.file("ca.pem")
        try printer.camera.certificate.certificatePEM.write(to: authority, atomically: true, encoding: .utf8)
        let program = try Program(debugging: broker.port, "stream:\n  printer_ca: \(authority.path)")
        let address = ["printer_ip=\(host)", "stream_port=\(printer.camera.port)", "model=x1c"]
        let settings = ["serial=\(configuration.serial)", "certificate=printer_ca", "witness=true"]
        try await program.add("x1", address + settings)
        return (reports, program)
    }

    @Test func `Requests, kills and commands query a failing camera's printer once in five minutes`() async throws {
        let folder = try TemporaryDirectory()
        let broker = try await MosquittoBroker.start()
        let observer = try await Observer(broker)
        let (reports, program) = try await start(folder, broker)
        let asked = observer.messages.count
        func responses() -> Int { observer.messages[asked...].count { $0.topic.hasSuffix("response/printer/witness") } }
        func failures() -> Int {
            observer.messages.count { $0.topic == "printer2mqtt/x1/stream/reason" && $0.payload == "closed_early" }
        }

        for round in 0..<4 {
            let bridge = try program.start()
            let before = failures()
            try await eventually("the camera fails") { failures() > before }
            for number in 1...2 {
                try await broker.request("printer/witness")
                try await eventually("the answer") { responses() == 2 * round + number }
                try await eventually("the question: \(reports.counts)") {
                    reports.counts.open == 0 && reports.counts.disconnects == 1
                }
            }
            if round % 2 == 0 { bridge.signal(SIGKILL) } else { bridge.signal(SIGTERM) }
            await bridge.exitStatus(timeout: .seconds(10))
            // A minute later, for the camera: its own limit has a test of its own.
            try program.forgetRecentProbes()
        }
        // They probe, and ask as well.
        for arguments in [["probe", "--printer", "x1"], ["doctor"]] {
            let command = try program.start(arguments)
            await command.exitStatus(timeout: .seconds(60))
            #expect(command.output.contains("Liveview"), "\(command.output)")
        }
        #expect(reports.counts.connections == 1 && reports.counts.disconnects == 1, "\(reports.counts)")
        #expect(reports.counts.reports == 1 && reports.counts.commands == 0, "\(reports.counts)")
    }
}
