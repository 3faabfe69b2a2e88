import Foundation
import PrinterSimulator
import TestSupport
import Testing

/// How often a bridge is killed: 20 times, or as `KILLS` says.
private let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap(Int.init) ?? 20

@Suite("What the recorder keeps of a print", .endsAll, .timeLimit(.minutes(kills > 20 ? 60 : 5)))
struct RecordedPrintTests {
    private let broker: MosquittoBroker
    private let observer: Observer
    private let folder: TemporaryDirectory

    init() async throws {
        broker = try await MosquittoBroker.start()
        observer = try await Observer(broker)
        folder = try TemporaryDirectory()
    }

    /// A printer whose prints fail half way, and a program that records it as `p1`.
    private func start(
        _ model: SimulatedModel,
        duration: Double
    ) async throws -> (printer: WholePrinter, program: Program) {
        let host = "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...254)).1"
        var configuration = SimulatedPrinterConfiguration(serial: model.serial(1), accessCode: "12345678")
        (configuration.model, configuration.host, configuration.reportsPort) = (model, host, 8883)
        configuration.connections = 4
        configuration.print = SimulatedPrint(duration: duration)
        configuration.print.outcome = .failed
        configuration.print.layers = 4
        let printer = try await WholePrinter.start(configuration, group: countingThread)
        EndingTrait.atEnd { await printer.stop() }
        let authority = folder.file("ca.pem")
        try printer.camera.certificate.certificatePEM.write(to: authority, atomically: true, encoding: .utf8)
        let program = try Program(debugging: broker.port, "stream:\n  printer_ca: \(authority.path)")
        let settings = [
            "printer_ip=\(host)", "stream_port=\(printer.camera.port)", "model=\(model.rawValue)",
            "serial=\(configuration.serial)", "certificate=printer_ca", "telemetry=true", "recorder=true",
            "timelapse=true",
        ]
        try await program.add("p1", settings)
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

    @Test(arguments: [.p1s, .x1c] as [SimulatedModel])
    func `A print that fails has a picture, a clip and a timelapse that play, by one connection`(
        _ model: SimulatedModel
    ) async throws {
        // Half of it is long enough for a bridge that starts slowly to see both layers.
        let (printer, program) = try await start(model, duration: 80)
        let bridge = try program.start()
        let path = try await clip(of: "print_failed")
        try await eventually("the clip", timeout: .seconds(90)) { events("clip_ready").contains { $0["clip"] == path } }
        try await observer.wait(for: "printer2mqtt/p1/moment/failed/at") { !$0.isEmpty }
        try await eventually("the timelapse", timeout: .seconds(60)) {
            events("clip_ready").contains { $0["event"] == "timelapse" }
        }
        let timelapse = try #require(events("clip_ready").first { $0["event"] == "timelapse" }?["clip"])
        #expect(printer.camera.mostConnections == 1)
        var pictures = try await stamps(of: file(of: path, program), model)
        // ffmpeg ends a film of JPEG pictures with the last one again.
        if model.camera == .jpeg { pictures.removeLast() }
        // The simulated camera numbers its pictures: none is missing, and none is there twice.
        let first = try #require(pictures.first)
        #expect(pictures.map(\.frame) == Array(first.frame..<first.frame + pictures.count))
        // The printer fails 40 s after it was switched on, and the clip ends 10 s after the report of it.
        let end = try #require(pictures.last).milliseconds
        #expect((49_000...).contains(end) && end - first.milliseconds < 131_000, "\(first.milliseconds) to \(end)")
        let layers = try await stamps(of: file(of: timelapse, program), model)
        #expect(layers.count >= 2 && layers.allSatisfy { $0.layer >= 1 }, "\(layers)")
        #expect(layers.map(\.milliseconds) == layers.map(\.milliseconds).sorted())
        let failed = try await stamps(of: try await moment("failed", program), model)
        #expect(failed.first.map { (3_000..<40_000).contains($0.milliseconds) } == true, "\(failed)")
        let layer = try await stamps(of: try await moment("first_layer", program), model)
        // A report comes up to two seconds after what it tells.
        #expect(layer.first.map { (1...2).contains($0.layer) && $0.milliseconds < 40_000 } == true, "\(layer)")
        #expect(await bridge.stop() == 0)
        try expectNamedPictures(of: program)
    }

    @Test func `The clip of a stream that is lost has the last picture that the camera sent`() async throws {
        let (printer, program) = try await start(.p1s, duration: 1_000)
        let bridge = try program.start()
        try await observer.wait(for: "printer2mqtt/p1/camera") { $0.contains(#""holder":"viewers""#) }
        try await Task.sleep(for: .seconds(3))
        // The camera hangs: that is known some time after its last picture.
        try await printer.camera.setFault(.noKeyFrame)
        let path = try await clip(of: "stream_lost")
        try await eventually("the clip", timeout: .seconds(90)) {
            events("clip_ready").contains { $0["clip"] == path && $0["picture"] != nil }
        }
        try expectNamedPictures(of: program)
        let film = file(of: path, program)
        let picture = film.deletingPathExtension().appendingPathExtension("jpg")
        #expect(try await stamps(of: picture, .p1s).last == stamps(of: film, .p1s).last)
        #expect(await bridge.stop() == 0)
    }

    /// Checks that each event of a clip that is on disk names its picture if there is one, and else does not.
    private func expectNamedPictures(of program: Program) throws {
        let names = try Set(files(of: program).map(\.lastPathComponent))
        for event in events("clip_ready") {
            let clip = try String(#require(event["clip"]?.split(separator: "/").last))
            let picture = clip.replacing(".mp4", with: ".jpg")
            #expect(!names.contains(clip) || (event["picture"] != nil) == names.contains(picture), "\(clip)")
        }
    }

    /// The file on disk behind the path of a clip.
    private func file(of path: String, _ program: Program) -> URL {
        program.state.appending(path: "clips/p1/\(path.split(separator: "/").last ?? "")")
    }

    /// A file with the picture of a moment.
    private func moment(_ name: String, _ program: Program) async throws -> URL {
        let file = program.directory.file("\(name).jpg")
        let script =
            "mosquitto_sub -h 127.0.0.1 -p \(broker.port) -t printer2mqtt/p1/moment/\(name) -C 1 -W 20 -N > '\(file.path)'"
        try await ChildProcess.run("sh", ["-c", script])
        return file
    }

    /// What the simulated camera painted into the pictures of a film, or into a picture.
    private func stamps(of file: URL, _ model: SimulatedModel) async throws -> [PictureStamp] {
        try await paintedBytes(in: file, isJPEG: model.camera == .jpeg).map { try #require(PictureStamp($0)) }
    }

    @Test(arguments: 0..<4)
    func `A bridge that is killed around an event leaves whole files, and a word about each clip`(lane: Int)
        async throws
    {
        let (_, program) = try await start(.p1s, duration: 16)
        var random = SeededGenerator(seed: UInt64(lane))
        for number in 0..<kills / 4 {
            // A printer is asked for its whole report once in five minutes, and not connected to four times a minute.
            try? FileManager.default.removeItem(at: program.runtime)
            let bridge = try program.start()
            let before = named.count
            // While its clip is recorded, while it is written, and when it is told.
            do {
                try await eventually("an event", timeout: .seconds(90)) { named.count > before }
            } catch {
                throw TestFailure("\(error) after kill \(number): \(bridge.output.suffix(4_000))")
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...12_500, using: &random)))
            await bridge.stop(SIGKILL)
            for file in try files(of: program) where file.pathExtension == "mp4" {
                let faults = try await ChildProcess.run("ffprobe", ["-v", "error", file.path])
                #expect(faults.isEmpty, "kill \(number): \(faults)")
            }
        }
        let bridge = try program.start()
        try await eventually("a word about each clip", timeout: .seconds(90)) {
            named.isSubset(of: (events("clip_lost") + events("clip_ready")).compactMap { $0["clip"] })
        }
        #expect(await bridge.stop() == 0)
        try expectNamedPictures(of: program)
        let endings = Set(try files(of: program).map(\.pathExtension))
        #expect(endings.isSubset(of: ["mp4", "jpg", "promised", "layers"]), "\(endings)")
    }

    /// The clips that events named.
    private var named: Set<String> {
        Set(["print_failed", "printer_error"].flatMap(events).compactMap { $0["clip"] })
    }

    private func files(of program: Program) throws -> [URL] {
        let folder = program.state.appending(path: "clips/p1")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }
}
