import CameraProtocols
import NIOCore
import PrinterSamples
import StoredSettings
import Synchronization
import TestSupport

@testable import Cameras
@testable import Printers
@testable import Relay

/// Lets everybody in, or those with a password.
final class TestDoor: RelayDoor {
    let password: String?
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    init(password: String? = nil) { self.password = password }

    var connections: Int { channels.withLock(\.count) }

    func admit(_ channel: any Channel) -> Bool {
        channels.withLock { $0[ObjectIdentifier(channel)] = channel }
        return true
    }

    func plays(_ isPlaying: Bool, _ channel: any Channel) {}

    func left(_ channel: any Channel) { channels.withLock { $0[ObjectIdentifier(channel)] = nil } }

    func closeAll() { for channel in channels.withLock(\.values) { channel.close(promise: nil) } }

    func verdict(on login: DigestAuthorization?, from channel: any Channel) -> ViewerVerdict {
        guard let password else { return .allowed(token: nil) }
        return login?.user == "viewer" && login?.isMade(with: Secret(password)) == true
            ? .allowed(token: "id") : .challenge
    }

    func isValid(token: String) -> Bool { true }

    func place() -> (any Sendable)? { 0 }
}

/// A bridge's cameras and relay, for a camera at an address.
final class RelayFixture: Sendable {
    let door: TestDoor
    let registry = PrinterRegistry(over: InMemorySettingsStore())
    let cameras = RelayedCameras()
    let feeds: CameraFeeds
    let probes: ProbeService
    let id: PrinterID = "cam"
    let port: Int
    private let tasks: [Task<Void, Never>]

    init(_ camera: String, password: String? = nil, timeout: Double = Backlog.timeout) async throws {
        door = TestDoor(password: password)
        let feeds = CameraFeeds(registry: registry, probe: PrinterProbe(), sink: cameras.sink)
        self.feeds = feeds
        probes = ProbeService(
            registry: registry,
            probe: { await feeds.attempt($0, $1, known: $2, keepsPicture: $3) },
            post: { _ in },
            logger: .quiet
        )
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        var server = RelayServer(
            options: RelayOptions(host: "127.0.0.1", port: 0),
            cameras: cameras,
            feeds: feeds,
            door: door,
            logger: .quiet,
            running: { listening.yield($0) }
        )
        server.timeout = timeout
        let relay = server
        tasks = [
            Task { [probes] in await probes.run() },
            Task { [probes] in await feeds.run { _ = await probes.probeSoon($0) } },
            Task { await relay.run() },
        ]
        port = await ports.first { _ in true } ?? 0
        EndingTrait.atEnd { [self] in await stop() }
        await registry.receive(
            id,
            """
            {"camera_url": "\(camera)", "stream_user": "bblp", "access_code": "12345678", "login_in_clear": true,
            "probe_enabled": true}
            """
        )
    }

    /// The same for a camera with a fault, once it is probed.
    static func faulty(_ fault: String, password: String? = nil) async throws -> (FaultyRTSPServer, RelayFixture) {
        let camera = try await FaultyRTSPServer([fault], certificates: nil)
        let relay = try await RelayFixture(camera.url(fault), password: password)
        try await relay.waitForProbe()
        return (camera, relay)
    }

    var url: String { "rtsp://127.0.0.1:\(port)/\(id)" }

    func printer() async -> Printer? { registry[id] }

    func waitForProbe() async throws {
        try await eventually("the first probe") { await printer()?.stream.report?.isHealthy == true }
    }

    /// Ends the server last, as its viewers keep the feeds.
    func stop() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
