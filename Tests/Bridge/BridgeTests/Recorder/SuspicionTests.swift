import CameraProtocols
import Cameras
import JSON
import MQTT
import Pictures
import PrinterReport
import PrinterSamples
import Recorder
import Relay
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

@Suite("What is suspicious of a print is told", .timeLimit(.minutes(5)))
struct SuspicionTests {
    private let registry = PrinterRegistry(over: InMemorySettingsStore())
    private let context: BridgeContext

    init() {
        context = BridgeContext(topics: Topics(base: "b", discoveryPrefix: "h"), registry: registry, logger: .quiet)
    }

    private func sight(_ layer: Int, of id: PrinterID = "x1", at time: Double) -> RecorderService.Sight {
        RecorderService.Sight(
            printer: id,
            family: .x,
            progress: PrintProgress(.running, layer: layer, of: 90),
            events: [],
            time: time
        )
    }

    /// A recorder that connects to no camera.
    private func recorder(_ cache: PictureCache = PictureCache()) async -> RecorderService {
        let relay = RelayedCameras()
        let feeds = CameraFeeds(registry: registry, probe: PrinterProbe(), sink: relay.sink)
        let run = Task { await feeds.run { _ in } }
        run.cancel()
        await run.value
        return RecorderService(context, feeds: feeds, relay: relay, maker: .installed, cache: cache)
    }

    @Test func `A print that begins before the first whole report ends the moments of the print before`() async throws {
        let (cache, moment) = (PictureCache(), PublishedPicture(of: "x1", .finished))
        cache.store(Snapshot(jpeg: [1], takenAt: .noon), of: moment)
        _ = await registry.change("x1", ["telemetry": true, "recorder": true], source: .cli)
        let recorder = await recorder(cache)
        await recorder.setTargets(of: ["x1"])
        await recorder.take(.init(printer: "x1", family: .x, progress: nil, events: [.printStarted], time: 0))
        #expect(cache[moment]?.jpeg != [1])
    }

    private var events: [JSONValue] {
        context.outbox.take().compactMap { try? JSONValue(json: $0.message.payload) }
    }

    @Test func `A frozen picture is one event, and degrades the stream, also of a renamed printer`() async throws {
        var id: PrinterID = "x1"
        try await registry.addHealthy("x1", ["telemetry": true, "recorder": true])
        let recorder = await recorder()
        await recorder.setTargets(of: ["x1"])
        let one = try await encodedPicture(["-f", "lavfi", "-i", "testsrc=size=640x360", "-f", "mjpeg"])
        let two = try await encodedPicture(["-f", "lavfi", "-i", "testsrc2=size=640x360", "-f", "mjpeg"])
        var layer = 0
        func pass(_ jpeg: [UInt8], at time: Double) async -> StreamState? {
            layer += 1
            await recorder.take(sight(layer, of: id, at: time))
            await recorder.append(VideoPicture(isKey: true, timestamp: 0, receivedAt: time, bytes: jpeg), of: id)
            await recorder.look(at: time)
            return registry[id]?.stream
        }
        for time in [0.0, 20] { #expect(await pass(one, at: time)?.reason == nil) }
        let state = await pass(one, at: 40)
        #expect(state?.reason == "picture_frozen" && state?.status == .degraded)
        let event = try #require(events.first?.objectValue)
        #expect(event["event_type"] == "print_suspect" && event["cause"] == "picture_frozen" && event["layers"] == 2)
        #expect(event["since"]?.stringValue?.hasSuffix("Z") == true)
        #expect(await pass(two, at: 60)?.status == .healthy)
        try await registry.rename("x1", to: "x2")
        id = "x2"
        try await registry.record(.healthy, of: id)
        await recorder.setTargets(of: ["x1", "x2"])
        for time in [80.0, 100] { _ = await pass(two, at: time) }
        #expect(registry[id]?.stream.reason == "picture_frozen" && events.isEmpty)
        _ = await registry.change(id, ["recorder": false], source: .request)
        await recorder.setTargets(of: [id])
        #expect(await pass(two, at: 120)?.status == .healthy)
    }
}
