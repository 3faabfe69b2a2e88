import Foundation
import PrinterSimulator
import TestSupport
import Testing

/// How often a bridge is killed: 20 times, or as `KILLS` says.
private let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap(Int.init) ?? 20

@Suite("What the recorder keeps of a print", .timeLimit(.minutes(kills > 20 ? 60 : 5)))
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
    private func start(
        _ model: SimulatedModel,
        duration: Double
    ) async throws -> (printer: WholePrinter, program: BridgeProgram) {
        let host = "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...254)).1"
        var camera = SimulatedPrinterConfiguration(serial: model.serial(1), accessCode: "12345678")
        (camera.host, camera.port) = (host, 0)
        var configuration = WholePrinter.Configuration(model: model, camera)
        configuration.reportsPort = 8883
        configuration.print = SimulatedPrint(duration: duration)
        configuration.print.outcome = .failed
        configuration.print.layers = 4
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
        // Half of it is long enough for a bridge that starts slowly to see both layers.
        let (printer, program) = try await start(model, duration: 80)
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
        let film = try #require(path.split(separator: "/").last)
        var pictures = try await stamps(of: program.state.appending(path: "clips/p1/\(film)"), model)
        // ffmpeg ends a film of JPEG pictures with the last one again.
        if model.camera == .jpeg { pictures.removeLast() }
        // The simulated camera numbers its pictures: none is missing, and none is there twice.
        let first = try #require(pictures.first)
        #expect(pictures.map(\.frame) == Array(first.frame..<first.frame + pictures.count))
        // The printer fails 40 s after it was switched on, and the clip ends 10 s after the report of it.
        let end = try #require(pictures.last).milliseconds
        #expect((49_000...).contains(end) && end - first.milliseconds < 131_000, "\(first.milliseconds) to \(end)")
        let layers = try await stamps(
            of: program.state.appending(path: "clips/p1/\(timelapse.split(separator: "/").last ?? "")"),
            model
        )
        #expect(layers.count >= 2 && layers.allSatisfy { $0.layer >= 1 }, "\(layers)")
        #expect(layers.map(\.milliseconds) == layers.map(\.milliseconds).sorted())
        let failed = try await stamps(of: try await moment("failed", program), model)
        #expect(failed.first.map { (3_000..<40_000).contains($0.milliseconds) } == true, "\(failed)")
        let layer = try await stamps(of: try await moment("first_layer", program), model)
        #expect(layer.first.map { $0.layer >= 1 && $0.milliseconds < 40_000 } == true, "\(layer)")
        #expect(await bridge.stop() == 0)
        await printer.stop()
    }

    /// A file with the picture of a moment.
    private func moment(_ name: String, _ program: BridgeProgram) async throws -> URL {
        let file = program.directory.file("\(name).jpg")
        let script =
            "mosquitto_sub -h 127.0.0.1 -p \(broker.port) -t printer2mqtt/p1/moment/\(name) -C 1 -W 20 -N > '\(file.path)'"
        let reader = try ChildProcess("sh", ["-c", script], log: folder.file("moment"))
        guard await reader.exitStatus() == 0 else { throw TestFailure("no picture of \(name)") }
        return file
    }

    /// What the simulated camera painted into the pictures of a film, or into a picture.
    private func stamps(of file: URL, _ model: SimulatedModel) async throws -> [PictureStamp] {
        let isJPEG = model.camera == .jpeg
        let cells = isJPEG ? 80 : 20
        let raw = folder.file("\(UUID().uuidString).gray")
        let filter = "crop=iw:2:0:ih-3,extractplanes=y,scale=\(cells):1:flags=area"
        let decoder = try ChildProcess(
            "ffmpeg",
            ["-v", "error", "-i", file.path, "-vf", filter, "-fps_mode", "passthrough", "-f", "rawvideo", raw.path],
            log: folder.file("stamps")
        )
        guard await decoder.exitStatus() == 0 else { throw TestFailure(decoder.output) }
        // A picture that was made of video has the full range of brightness.
        let isWide = file.pathExtension == "jpg" && !isJPEG
        let values = try Data(contentsOf: raw).map { isWide ? 16 + Int($0) * 219 / 255 : Int($0) }
        return try stride(from: 0, to: values.count, by: cells).map { start in
            let row = values[start..<start + cells].map { isJPEG ? ($0 > 127 ? 1 : 0) : ($0 - 16 + 7) / 14 }
            let size = isJPEG ? 8 : 2
            let bytes = (0..<10).map { row[$0 * size..<($0 + 1) * size].reduce(0) { $0 << (8 / size) | $1 } }
            return try #require(PictureStamp(bytes.map { UInt8(truncatingIfNeeded: $0) }), "\(row)")
        }
    }

    @Test(
        "A bridge that is killed around an event leaves whole files, and a word about each clip",
        arguments: 0..<4
    )
    func killed(lane: Int) async throws {
        let (printer, program) = try await start(.p1s, duration: 16)
        var random = SeededGenerator(seed: UInt64(lane))
        for number in 0..<kills / 4 {
            // A printer is asked for its whole report once in five minutes, and not connected to four times a minute.
            try? FileManager.default.removeItem(at: program.directory.file("runtime/printer2mqtt"))
            let bridge = try program.run()
            let before = named.count
            // While its clip is recorded, while it is written, and when it is told.
            do {
                try await eventually("an event", timeout: .seconds(90)) { named.count > before }
            } catch {
                throw TestFailure("\(error) after kill \(number): \(bridge.output.suffix(4_000))")
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...12_500, using: &random)))
            bridge.signal(SIGKILL)
            await bridge.exitStatus()
            for file in try files(of: program) where file.pathExtension == "mp4" {
                let probe = try ChildProcess("ffprobe", ["-v", "error", file.path], log: folder.file("probe"))
                #expect(await probe.exitStatus() == 0 && probe.output.isEmpty, "kill \(number): \(probe.output)")
            }
        }
        let bridge = try program.run()
        try await eventually("a word about each clip", timeout: .seconds(90)) {
            named.isSubset(of: (events("clip_lost") + events("clip_ready")).compactMap { $0["clip"] })
        }
        #expect(await bridge.stop() == 0)
        await printer.stop()
        let endings = Set(try files(of: program).map(\.pathExtension))
        #expect(endings.isSubset(of: ["mp4", "jpg", "promised", "layers"]), "\(endings)")
    }

    /// The clips that events named.
    private var named: Set<String> {
        Set(["print_failed", "printer_error"].flatMap(events).compactMap { $0["clip"] })
    }

    private func files(of program: BridgeProgram) throws -> [URL] {
        let folder = program.state.appending(path: "clips/p1")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }
}
