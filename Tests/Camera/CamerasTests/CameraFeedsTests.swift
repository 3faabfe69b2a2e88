import CameraProtocols
import Concurrency
import NIOCore
import Platform
import PrinterSamples
import PrinterSimulator
import StoredSettings
import TestSupport
import Testing

@testable import Cameras
@testable import Printers

extension StreamSink {
    /// For cameras that send pictures.
    fileprivate static var unused: StreamSink {
        StreamSink(loop: countingThread.next(), take: { _, _ in }, end: { _ in })
    }
}

/// A P1 that permits one connection, and a bridge's feeds and probes over it.
private final class WatchedPrinter: Sendable {
    let camera: SimulatedPrinter
    let registry = PrinterRegistry(over: InMemorySettingsStore())
    let feeds: CameraFeeds
    let probes: ProbeService
    let id: PrinterID = "p1"
    private let tasks: [Task<Void, Never>]

    /// `earlier` seconds ago there were as many connections as a minute may have.
    init(code: String = "12345678", earlier: Double? = nil) async throws {
        var configuration = SimulatedPrinterConfiguration(serial: "01P00A000000001", accessCode: "12345678")
        configuration.model = .p1s
        (configuration.connections, configuration.port) = (1, try freePort())
        camera = try await SimulatedPrinter.start(configuration, group: countingThread)
        let ago = LockedValue(earlier ?? 0)
        let gate = CameraGate(DoorFile { MachineClock.now - ago.value })
        let key = CameraKey(address: "127.0.0.1", port: camera.port)
        if earlier != nil, case .granted(let lease) = gate.lease([key], connections: CameraHistory.limit) {
            lease.end()
        }
        ago.value = 0
        let feeds = CameraFeeds(registry: registry, probe: PrinterProbe(gate: gate), sink: .unused)
        self.feeds = feeds
        probes = ProbeService(
            registry: registry,
            probe: { await feeds.attempt($0, $1, known: $2, keepsPicture: $3) },
            post: { _ in },
            logger: .quiet
        )
        tasks = [
            Task { [probes] in await probes.run() },
            Task { [probes] in await feeds.run { _ = await probes.probeSoon($0) } },
        ]
        await registry.receive(
            id,
            """
            {"printer_ip": "127.0.0.1", "stream_port": \(camera.port), "model": "p1s", "access_code": "\(code)",
            "probe_enabled": false}
            """
        )
        let pin = CertificatePin.accepted(camera.certificate.fingerprint)
        try await registry.remember(CameraRecord(.init(endpoint: "127.0.0.1:\(camera.port)", pin: pin)), of: id)
        await registry.receive(id, #"{"probe_enabled": true}"#)
        EndingTrait.atEnd { [self] in await stop() }
    }

    var printer: Printer? { get async { registry[id] } }

    func stop() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        try? await eventually("the end of the connection") { camera.connectionCount == 0 }
        await camera.stop()
    }
}

@Suite(.endsAll, .timeLimit(.minutes(5))) struct CameraFeedsTests {
    private func frame(_ viewer: CameraViewer) async throws -> CameraFrame {
        for await event in viewer.events { if case .frame(let frame) = event { return frame } }
        throw TestFailure("the stream has ended")
    }

    /// The next interruption, of which a viewer is told the reason and the pause.
    private func interruption(_ viewer: CameraViewer) async throws -> (why: String, seconds: Int) {
        for await event in viewer.events {
            if case .interruption(let why, let seconds) = event { return (why, seconds) }
        }
        throw TestFailure("the stream has ended")
    }

    @Test func `A lost camera is sought again, viewers are told why, and its health is told`() async throws {
        let watched = try await WatchedPrinter()
        let viewer = await watched.feeds.view(watched.id)
        _ = try await frame(viewer)
        try await watched.camera.setFault(.refuse)
        await watched.camera.disconnectAll()
        let (why, seconds) = try await interruption(viewer)
        #expect(seconds > 0 && !why.isEmpty)
        try await eventually("the failure") { await watched.printer?.stream.report?.failure != nil }
        try await watched.camera.setFault(nil)
        _ = try await frame(viewer)
        try await eventually("the recovery") { await watched.printer?.stream.report?.isHealthy == true }
        #expect(watched.camera.mostConnections == 1)
    }

    /// The settings of a printer after the change; nil if it is removed.
    @Test(arguments: [nil, #"{"model": "x1c"}"#])
    func `Viewers' streams end with the printer, or when its camera is of another kind`(patch: String?) async throws {
        let watched = try await WatchedPrinter()
        let viewer = await watched.feeds.view(watched.id)
        _ = try await frame(viewer)
        if let patch {
            await watched.registry.receive(watched.id, patch)
        } else {
            #expect(try await watched.registry.remove(watched.id))
        }
        for await _ in viewer.events {}
        try await eventually("the connection is closed") { watched.camera.connectionCount == 0 }
    }

    @Test func `A viewer learns that the access code was refused, and the code is not retried at once`() async throws {
        let watched = try await WatchedPrinter(code: "87654321")
        try await eventually("the refusal") { await watched.printer?.stream.report?.failure?.reason == .unauthorized }
        let viewer = await watched.feeds.view(watched.id)
        let (why, seconds) = try await interruption(viewer)
        #expect(why.contains("refused this access code") && seconds > 30)
    }

    @Test func `A viewer waits for a short delay by the connection limit, and is told of a longer one`() async throws {
        let soon = try await WatchedPrinter(earlier: 58)
        var viewer = await soon.feeds.view(soon.id)
        let event = await viewer.events.first { _ in true }
        guard case .frame? = event else { throw TestFailure("\(String(describing: event))") }
        viewer.leave()
        await soon.stop()
        let late = try await WatchedPrinter(earlier: 20)
        viewer = await late.feeds.view(late.id)
        let (why, seconds) = try await interruption(viewer)
        #expect(why.contains("again in") && (16...40).contains(seconds))
        viewer.leave()
    }

    @Test(
        .enabled(if: ChildProcess.isInstalled("ustreamer")),
        arguments: [("stream", true), ("stream", false), ("snapshot", true)]
    )
    func `An HTTP camera is viewed too, its login in clear only if the owner allows it`(
        path: String,
        isAllowed: Bool
    ) async throws {
        let server = try await MJPEGServer.ustreamer(hasLogin: true)
        let registry = PrinterRegistry(over: InMemorySettingsStore())
        let feeds = CameraFeeds(registry: registry, probe: PrinterProbe(), sink: .unused)
        let task = Task { await feeds.run { _ in } }
        await registry.receive(
            "k1",
            """
            {"model": "other", "camera_url": "http://127.0.0.1:\(server.port)/\(path)", "access_code": "12345678",
            "login_in_clear": \(isAllowed)}
            """
        )
        let viewer = await feeds.view("k1")
        switch await viewer.events.first(where: { _ in true }) {
        case .frame: #expect(isAllowed)
        case .interruption(let why, _): #expect(!isAllowed && why.contains("set login_in_clear"), "\(why)")
        case nil: Issue.record("the stream has ended")
        }
        if path == "snapshot" {
            // The first picture is too old now, and the next one comes 15 seconds after it.
            try await Task.sleep(for: .seconds(CameraFeeds.freshness + 0.5))
            let later = await feeds.view("k1")
            let event = await later.events.first { _ in true }
            guard case .frame? = event else { throw TestFailure("\(String(describing: event))") }
            later.leave()
        }
        task.cancel()
        await task.value
    }
}
