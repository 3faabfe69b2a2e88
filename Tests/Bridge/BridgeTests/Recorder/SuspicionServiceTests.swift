import CameraProtocols
import Foundation
import JSON
import MQTT
import Pictures
import PrinterReport
import PrinterSamples
import Recorder
import StoredSettings
import Synchronization
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

@Suite("What is suspicious of a print is told", .timeLimit(.minutes(1)))
struct SuspicionServiceTests {
    private let registry = PrinterRegistry(over: InMemorySettingsStore())
    private let context: BridgeContext
    private let picture = Latest()

    /// The recorder's newest picture.
    private final class Latest: Sendable {
        let picture = Mutex<RecordedPicture?>(nil)

        func show(_ jpeg: [UInt8], at time: Double) {
            let coded = CodedPicture(codec: .mjpeg, bytes: jpeg)
            picture.withLock { $0 = RecordedPicture(coded, at: time) }
        }
    }

    init() {
        context = BridgeContext(topics: Topics(base: "b", discoveryPrefix: "h"), registry: registry, logger: .quiet)
    }

    private func addPrinter() async throws {
        var values: [String: JSONValue] = .configured
        for (key, value) in ["access_code": "12345678", "telemetry": true, "recorder": true] as [String: JSONValue] {
            values[key] = value
        }
        _ = await registry.change("x1", values, source: .request)
        let committed = try #require(registry["x1"]?.committed)
        let target = try #require(ProbeTarget(committed))
        _ = await registry.record(.healthy, of: "x1", target: target, validity: .seconds(750))
    }

    private func sight(_ layer: Int, at time: Double) -> RecorderService.Sight {
        RecorderService.Sight(
            printer: "x1",
            family: .x,
            progress: PrintProgress(.running, layer: layer, of: 90),
            events: [],
            time: time
        )
    }

    private var events: [JSONValue] {
        context.outbox.take().compactMap { try? JSONValue(json: $0.message.payload) }
    }

    @Test func `A frozen picture is one event, and degrades the stream while the recorder is on`() async throws {
        try await addPrinter()
        let service = SuspicionService(context, maker: .installed) { [picture] _ in picture.picture.withLock(\.self) }
        let one = try await encodedPicture(["-f", "lavfi", "-i", "testsrc=size=640x360", "-f", "mjpeg"])
        let two = try await encodedPicture(["-f", "lavfi", "-i", "testsrc2=size=640x360", "-f", "mjpeg"])
        var layer = 0
        func pass(_ jpeg: [UInt8], at time: Double) async -> StreamState? {
            layer += 1
            await service.take(sight(layer, at: time))
            picture.show(jpeg, at: time)
            await service.look(at: time)
            return registry["x1"]?.stream
        }
        for time in [0.0, 20] { #expect(await pass(one, at: time)?.reason == nil) }
        let state = await pass(one, at: 40)
        #expect(state?.reason == "picture_frozen" && state?.status == .degraded)
        let event = try #require(events.first?.objectValue)
        #expect(event["event_type"] == "print_suspect" && event["cause"] == "picture_frozen" && event["layers"] == 2)
        #expect(event["since"]?.stringValue?.hasSuffix("Z") == true)
        #expect(await pass(two, at: 60)?.status == .healthy)
        for time in [80.0, 100] { _ = await pass(two, at: time) }
        #expect(registry["x1"]?.stream.reason == "picture_frozen" && events.isEmpty)
        _ = await registry.change("x1", ["recorder": false], source: .request)
        #expect(await pass(two, at: 120)?.status == .healthy)
    }
}
