import Foundation
import PrinterSimulator
import TestSupport
import Testing

@Suite("What the recorder keeps of a print", .timeLimit(.minutes(5)))
struct RecordedPrintTests {
    private let broker: MosquittoBroker
    private let observer: Observer
    private let folder: TemporaryDirectory

    init() async throws {
        broker = try await MosquittoBroker.start()
        observer = try await Observer(port: broker.port)
        folder = try TemporaryDirectory()
    }

    /// A printer whose prints fail half way, and a program that records it as `p1`.
    private func start(_ model: SimulatedModel) async throws -> (printer: WholePrinter, program: BridgeProgram) {
        let host = "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...254)).1"
        var camera = SimulatedPrinterConfiguration(serial: model.serial(1), accessCode: "12345678")
        (camera.host, camera.port) = (host, 0)
        var configuration = WholePrinter.Configuration(model: model, camera)
        configuration.reportsPort = 8883
        configuration.print = SimulatedPrint(duration: 40)
        configuration.print.outcome = .failed
        let printer = try await WholePrinter.start(configuration)
        let authority = folder.file("ca.pem")
        try printer.camera.certificate.certificatePEM.write(to: authority, atomically: true, encoding: .utf8)
        let program = try BridgeProgram(broker: broker.port, "stream:\n  printer_ca: \(authority.path)")
        let settings = [
            "printer_ip=\(host)", "stream_port=\(printer.camera.port)", "model=\(model.rawValue)",
            "serial=\(camera.serial)", "certificate=printer_ca", "telemetry=true", "recorder=true",
            "timelapse=true",
        ]
        let adding = try program.runToEnd(
            ["printer", "add", "p1"] + settings,
            ["PRINTER2MQTT_ACCESS_CODE": "12345678"]
        )
        #expect(await adding.exitStatus() == 0, "\(adding.output)")
        return (printer, program)
    }

    private func events(_ kind: String) -> [JSONObject] {
        observer.messages.filter { $0.topic == "printer2mqtt/p1/event" }.map { JSONObject($0.payload) }
            .filter { $0["event_type"] == kind }
    }

    /// The path of the clip that an event names.
    private func clip(of kind: String) async throws -> String {
        try await eventually("the event \(kind)", timeout: .seconds(150)) { events(kind).last?["clip"] != nil }
        return try #require(events(kind).last?["clip"])
    }

    @Test(
        "A print that fails has a picture, a clip and a timelapse that play, by one connection",
        arguments: [.p1s, .x1c] as [SimulatedModel]
    )
    func failure(_ model: SimulatedModel) async throws {
        let (printer, program) = try await start(model)
        let bridge = try program.run()
        let path = try await clip(of: "print_failed")
        try await eventually("the clip", timeout: .seconds(90)) {
            events("clip_ready").contains { $0["clip"] == path }
        }
        try await observer.wait(for: "printer2mqtt/p1/moment/failed/at") { !$0.isEmpty }
        try await eventually("the timelapse", timeout: .seconds(60)) {
            events("clip_ready").contains { $0["event"] == "timelapse" }
        }
        let timelapse = try #require(events("clip_ready").first { $0["event"] == "timelapse" }?["clip"])
        for path in [path, timelapse] {
            let name = try #require(path.split(separator: "/").last)
            let film = program.state.appending(path: "clips/p1/\(name)")
            let decoder = try ChildProcess(
                "ffmpeg",
                ["-v", "error", "-i", film.path, "-f", "null", "-"],
                log: folder.file("ffmpeg")
            )
            #expect(await decoder.exitStatus() == 0 && decoder.output.isEmpty, "\(decoder.output)")
        }
        #expect(printer.camera.mostConnections == 1)
        #expect(await bridge.stop() == 0)
        await printer.stop()
    }

    @Test("A bridge that is killed before a clip is written says so when it starts again")
    func killed() async throws {
        let (printer, program) = try await start(.p1s)
        let bridge = try program.run()
        let path = try await clip(of: "print_failed")
        bridge.signal(SIGKILL)
        _ = await bridge.exitStatus()
        let next = try program.run()
        try await eventually("a word about the clip", timeout: .seconds(90)) {
            (events("clip_lost") + events("clip_ready")).contains { $0["clip"] == path }
        }
        #expect(await next.stop() == 0)
        await printer.stop()
    }
}
