import Cameras
import Logging
import MQTT
import NIOCore
import NIOPosix
import Pictures
import PrinterSamples
import Recorder
import ServiceLifecycle
import StoredSettings
import TestSupport

@testable import Bridge
@testable import WebInterface

/// A bridge without a broker, and its page on a free port.
final class RunningPage: Sendable {
    let port: Int
    let registry: PrinterRegistry
    let log: RecordedLog
    let snapshots: PictureCache
    var clips: ClipFolder? { access.clips }
    private let access: BridgeAccess
    private let group: ServiceGroup
    private let task: Task<Void, any Error>

    init(
        readDeadline: TimeAmount = ConnectionLimits.readDeadline,
        probe: PrinterProbe = PrinterProbe(),
        maker: PictureMaker = .installed,
        clips: String? = nil,
        viewers: ViewerAddresses = ViewerAddresses(),
        _ configure: (inout WebOptions) -> Void = { _ in }
    ) async throws {
        let log = RecordedLog()
        let logger = Logger(label: "test") { _ in log }
        let store = InMemorySettingsStore()
        let registry = PrinterRegistry(store: store, digest: { _ in "digest" }, logger: logger)
        var web = WebOptions(host: "127.0.0.1", port: 0)
        configure(&web)
        let page = web
        let broker = MQTTConfiguration(endpoint: .tcp(host: "127.0.0.1", port: 9), clientID: "test")
        var dependencies = BridgeDependencies(broker: broker, version: "1")
        dependencies.probe = probe
        (dependencies.maker, dependencies.options.clips) = (maker, clips)
        dependencies.options.viewerAddresses = viewers
        let (pages, found) = AsyncStream.makeStream(of: (Int, BridgeAccess).self)
        dependencies.companions = [
            { access in
                var web = WebInterface(options: page, access: access, logger: logger) { found.yield(($0, access)) }
                web.readDeadline = readDeadline
                return web
            }
        ]
        let service = BridgeService(dependencies: dependencies, store: store, registry: registry, logger: logger)
        let group = ServiceGroup(services: [service], logger: logger)
        self.group = group
        task = Task { try await group.run() }
        guard let (port, access) = await pages.first(where: { _ in true }) else { throw CancellationError() }
        self.port = port
        self.access = access
        self.registry = registry
        self.log = log
        snapshots = dependencies.snapshots
        EndingTrait.atEnd { [self] in await stop() }
    }

    /// A page, and a browser that has begun a session.
    static func visited(_ configure: (inout WebOptions) -> Void = { _ in }) async throws -> (RunningPage, Browser) {
        let page = try await RunningPage(configure)
        return (page, try await page.browser())
    }

    /// A browser that has begun a session.
    func browser() async throws -> Browser {
        var browser = Browser(port: port)
        try await browser.begin()
        return browser
    }

    /// A client that sends some bytes, or none, and reads nothing by itself.
    func client(_ text: String = "") async throws -> any Channel {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port).get()
        // Perhaps it is closed by now, for one that came later.
        if !text.isEmpty { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }
        return channel
    }

    /// Ends the bridge.
    func stop() async {
        await group.triggerGracefulShutdown()
        _ = await task.result
    }

    /// Adds a printer that is not probed.
    func add(_ id: PrinterID, _ values: [String: JSONValue] = [:]) async {
        _ = await registry.change(id, values.merging(["probe_enabled": false]) { old, _ in old }, source: .cli)
    }
}
