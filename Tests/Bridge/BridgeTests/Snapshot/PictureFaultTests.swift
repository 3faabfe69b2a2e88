import CameraProtocols
import Foundation
import Pictures
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Cameras
@testable import Printers

@Suite("Pictures that something is wrong with", .timeLimit(.minutes(5)))
struct PictureFaultTests {
    private let registry = PrinterRegistry(over: InMemorySettingsStore())
    private let id: PrinterID = "x1"

    /// Shows the service these pictures, and returns the stream's state.
    private func seen(_ pictures: [(bytes: [UInt8], minute: Double)]) async -> StreamState? {
        let service = SnapshotService(registry, .installed)
        for (bytes, minute) in pictures {
            let (stream, continuation) = AsyncStream<CapturedPicture>.makeStream()
            let picture = CodedPicture(codec: .mjpeg, bytes: bytes)
            continuation.yield(CapturedPicture(picture: picture, printer: id, takenAt: .noon + minute * 60))
            continuation.finish()
            await service.run(stream)
        }
        return registry[id]?.stream
    }

    private func picture(_ source: String) async throws -> [UInt8] {
        try await encodedPicture(["-f", "lavfi", "-i", source, "-f", "mjpeg"])
    }

    @Test func `A black picture degrades the stream until the next picture, dark but for one light`() async throws {
        try await registry.addHealthy(id, ["picture_checks": true])
        let dark = try await picture("color=black:size=640x360")
        let state = try #require(await seen([(dark, 0)]))
        #expect(state.status == .degraded)
        #expect(state.reason == "picture_black")
        #expect(state.message == "the camera's picture is black")
        #expect(registry[id]?.hint?.contains("light") == true)
        let lit = try await picture("color=black:size=640x360,drawbox=x=300:y=160:w=60:h=60:color=white:t=fill")
        #expect(await seen([(lit, 1)])?.status == .healthy)
    }

    @Test func `A torn picture makes the stream degraded`() async throws {
        try await registry.addHealthy(id, ["picture_checks": true])
        let whole = try await picture("testsrc=size=640x360")
        #expect(await seen([(Array(whole.dropLast(50)), 0)])?.reason == "picture_torn")
        #expect(await seen([(whole, 1)])?.reason == nil)
        #expect(await seen([(whole.prefix(whole.count * 2 / 3) + [0xff, 0xd9], 2)])?.reason == "picture_torn")
    }

    @Test func `The same bytes for an hour are a frozen picture; another picture ends that`() async throws {
        try await registry.addHealthy(id, ["picture_checks": true])
        let (one, two) = (try await picture("testsrc=size=640x360"), try await picture("testsrc2=size=640x360"))
        #expect(await seen([(one, 0), (one, 30), (one, 59)])?.status == .healthy)
        #expect(await seen([(one, 60)])?.reason == "picture_frozen")
        #expect(await seen([(two, 61)])?.status == .healthy)
        #expect(await seen([(one, 62), (one, 121)])?.status == .healthy)
    }

    @Test func `Picture faults are reported while checks are on, unless the latest probe failed`() async throws {
        try await registry.addHealthy(id, ["picture_checks": false])
        let dark = try await picture("color=black:size=640x360")
        #expect(await seen([(dark, 0)])?.status == .healthy)
        _ = await registry.change(id, ["picture_checks": true], source: .request)
        #expect(await seen([(dark, 1)])?.status == .degraded)
        try await registry.record(.failed(.busy), of: id)
        #expect(registry[id]?.stream.reason == "busy")
        try await registry.record(.healthy, of: id)
        #expect(registry[id]?.stream.reason == "picture_black", "it stays until the next picture")
        _ = await registry.change(id, ["picture_checks": false], source: .request)
        #expect(registry[id]?.stream.status == .healthy)
        _ = await registry.change(id, ["picture_checks": true], source: .request)
        _ = await seen([(dark, 2)])
        try await registry.record(.failed(.busy), of: id)
        _ = await registry.change(id, ["picture_checks": false], source: .request)
        try await registry.record(.healthy, of: id)
        #expect(registry[id]?.stream.status == .healthy)
    }
}
