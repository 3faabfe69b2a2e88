import CameraProtocols
import Foundation
import JSON
import MQTT
import PrinterSamples
import PrinterSimulator
import Recorder
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Cameras
@testable import Pictures
@testable import Printers

@Suite("Timelapses", .timeLimit(.minutes(5)))
struct TimelapsesTests {
    private let directory: TemporaryDirectory
    private let printer: PrinterID = "p1"

    init() throws { directory = try TemporaryDirectory() }

    /// A run of the bridge over the same folder of clips.
    private func context(_ limits: ClipLimits = ClipLimits(), in folder: String? = nil) -> BridgeContext {
        BridgeContext(
            topics: Topics(base: "b"),
            registry: PrinterRegistry(over: InMemorySettingsStore()),
            clips: ClipDesk(ClipFolder(path: folder ?? directory.url.path, limits: limits)),
            logger: .quiet
        )
    }

    private func picture(_ color: String = "red") async throws -> VideoPicture {
        let jpeg = try await encodedPicture(["-f", "lavfi", "-i", "color=\(color):size=320x180", "-f", "mjpeg"])
        return VideoPicture(isKey: true, timestamp: 0, receivedAt: 0, bytes: jpeg)
    }

    /// The events that are told of clips.
    private func told(_ context: BridgeContext) -> [[String: JSONValue]] {
        context.outbox.take().compactMap { try? JSONValue(json: $0.message.payload).objectValue }
    }

    private func run(
        _ context: BridgeContext,
        _ maker: PictureMaker = .installed,
        _ body: (Timelapses) async throws -> Void
    ) async throws {
        let films = FilmQueue()
        let timelapses = try #require(Timelapses(context, maker: maker, films: films))
        async let filming: Void = films.run()
        let running = Task { await timelapses.run() }
        defer { running.cancel() }
        try await body(timelapses)
        running.cancel()
        await running.value
        await films.end()
        await filming
    }

    @Test(arguments: [false, true])
    func `Timelapses have a picture and a film after the print, or after the run that follows a kill`(isKilled: Bool)
        async throws
    {
        let picture = try await picture()
        var context = context()
        try await run(context) { timelapses in
            for _ in 0..<5 { timelapses.add(picture, of: printer, nil) }
            if isKilled {
                try await eventually("the pictures are on disk") { await pictureCount(context) == 5 }
            } else {
                timelapses.end(of: printer)
                try await eventually("the film", timeout: .seconds(60)) { folderHasFilm(context) }
            }
        }
        if isKilled {
            #expect(told(context).isEmpty)
            context = self.context()
            try await run(context) { _ in
                try await eventually("the film", timeout: .seconds(60)) { folderHasFilm(context) }
            }
        }
        let events = told(context)
        #expect(events.map { $0["event_type"] } == ["clip_ready"] && events[0]["event"] == "timelapse")
        let folder = try #require(context.clips.folder)
        let name = try #require(folder.clips(of: printer).first?.name)
        #expect(FileManager.default.contents(atPath: folder.file(name, .picture)) == Data(picture.bytes))
        #expect(events[0]["picture"] == .string(name.picturePath))
    }

    @Test func `Timelapses end with the end of the print, also where every second picture is left out`() async throws {
        let (layer, end) = (try await picture(), try await picture("blue"))
        var limits = ClipLimits()
        // The sixth picture is one too many, and then the eighth has no turn.
        limits.bytes = 11 * (layer.bytes.count + 5)
        let context = context(limits)
        try await run(context) { timelapses in
            for _ in 0..<7 { timelapses.add(layer, of: printer, nil) }
            timelapses.end(of: printer, with: end)
            try await eventually("the film", timeout: .seconds(60)) { folderHasFilm(context) }
        }
        let folder = try #require(context.clips.folder)
        let name = try #require(folder.clips(of: printer).first?.name)
        #expect(FileManager.default.contents(atPath: folder.file(name, .picture)) == Data(end.bytes))
    }

    @Test(.enabled(if: SmallFileSystem.isPossible, "only root may mount a file system"))
    func
        `Timelapses keep their pictures while the disk is full, and become films after the next print once there is room`()
        async throws
    {
        let disk = try SmallFileSystem(kilobytes: 256)
        let ballast = disk.path + "/ballast"
        let (picture, other, last): (VideoPicture, PrinterID, PrinterID) = (try await picture(), "p2", "p3")
        let context = context(in: disk.path + "/clips")
        let folder = try #require(context.clips.folder)
        try await run(context) { timelapses in
            timelapses.add(picture, of: printer, nil)
            try await eventually("a picture is on disk") { await pictureCount(context) == 1 }
            try disk.fill(ballast)
            // Most of these find no room.
            for _ in 0..<20 { timelapses.add(picture, of: printer, nil) }
            timelapses.end(of: printer)
            // The first picture of this print finds none; they are written one after the other.
            timelapses.add(picture, of: other, nil)
            timelapses.add(picture, of: last, nil)
            try await eventually("the last picture was tried") { folder.clips(of: last).map(\.state) == [.promised] }
            #expect(folder.clips(of: printer).map(\.state) == [.promised])
            try FileManager.default.removeItem(atPath: ballast)
            timelapses.add(picture, of: other, nil)
            timelapses.end(of: other)
            try await eventually("both films", timeout: .seconds(60)) {
                [printer, other].allSatisfy { folderHasFilm(context, of: $0) }
            }
        }
        #expect(told(context).map { $0["event_type"] } == ["clip_ready", "clip_ready"])
    }

    @Test func `Timelapses of video have no picture without ffmpeg, and no word about one`() async throws {
        let configuration = try #require(SimulatedFilm.configuration)
        let context = context()
        try await run(context, PictureMaker(ffmpeg: nil)) { timelapses in
            // The printer is renamed meanwhile: both pictures are in one film.
            timelapses.add(SimulatedFilm.picture(0, of: .rtsps, at: 1), of: printer, configuration)
            timelapses.rename(printer, to: "p2")
            timelapses.add(SimulatedFilm.picture(1, of: .rtsps, at: 2), of: "p2", configuration)
            timelapses.end(of: "p2")
            try await eventually("the film") { folderHasFilm(context) }
            #expect(context.clips.folder?.clips(of: "p2") == [])
        }
        let event = try #require(told(context).first)
        #expect(event["event_type"] == "clip_ready" && event["picture"] == nil)
    }

    /// The pictures of the print that are on disk.
    private func pictureCount(_ context: BridgeContext) async -> Int? {
        guard let folder = context.clips.folder, let name = folder.clips(of: printer).first?.name else { return nil }
        return await (try? folder.layers(of: name))?.count
    }

    private func folderHasFilm(_ context: BridgeContext, of id: PrinterID = "p1") -> Bool {
        guard case .ready = context.clips.folder?.clips(of: id).first?.state else { return false }
        return true
    }

    @Test func `Timelapses of JPEG pictures need ffmpeg, and say so`() async throws {
        let picture = try await picture()
        let context = context()
        var events: [[String: JSONValue]] = []
        try await run(context, PictureMaker(ffmpeg: nil)) { timelapses in
            timelapses.add(picture, of: printer, nil)
            timelapses.end(of: printer)
            try await eventually("it is given up") {
                events += told(context)
                return !events.isEmpty
            }
        }
        let event = try #require(events.first)
        #expect(event["event_type"] == "clip_lost")
        #expect(event["message"] == .string("\(PictureFailure.noEncoder)"))
    }

    @Test(
        arguments: [
            (["recorder": true], [PictureFailure.noEncoder]), (["snapshot_interval": 60], []),
            (["recorder": true, "model": "x1c"], [.noDecoder]),
            (["snapshot_interval": 60, "model": "x1c"], [.noDecoder]),
            (["model": "x1c"], []),
        ] as [([String: JSONValue], [PictureFailure])]
    )
    func `Where ffmpeg is missing, pictures of video and clips of JPEG are warned of`(
        settings: [String: JSONValue],
        failures: [PictureFailure]
    ) async throws {
        let registry = context().registry
        _ = await registry.change(printer, ["model": "p1s"].merging(settings) { $1 }, source: .cli)
        let found = try #require(registry[printer])
        for hasDecoder in [true, false] {
            let warnings = BridgeWarning.missingDecoder(for: found, SnapshotPolicy(hasDecoder: hasDecoder))
            let expected = hasDecoder ? [] : failures.map { "p1: \($0) Then restart the bridge." }
            #expect(warnings.map(\.message) == expected)
        }
    }
}
