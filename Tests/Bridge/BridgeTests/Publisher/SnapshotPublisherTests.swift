import MQTT
import PrinterSamples
import StoredSettings
import Synchronization
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

/// With a real broker.
@Suite("Publishing pictures", .timeLimit(.minutes(5)))
final class PicturePublisherTests: Sendable {
    /// What is retained of the printer `x1` with the picture 'one'.
    private static let expected = ["b/x1/snapshot": "one", "b/x1/snapshot/at": "2026-09-21T14:13:20Z"]
    private let store = InMemorySettingsStore()
    private let cache = PictureCache()
    /// Whether the other topics may be published, and then pictures.
    private let mayBegin = LockedValue(true)
    /// Of all publishers that ran.
    private let boards = Mutex<[WarningBoard]>([])
    private var warnings: [BridgeWarning] { boards.withLock { $0.flatMap(\.list.sorted) } }
    private let broker: MosquittoBroker

    init() async throws { broker = try await MosquittoBroker.start() }

    /// Runs the publishers of a bridge while `body` runs.
    private func publishing(
        on broker: MosquittoBroker? = nil,
        base: String = "b",
        isRetained: Bool = true,
        version: MQTTProtocolVersion = .v5,
        over owned: OwnedSettingsStore? = nil,
        _ body: (PrinterRegistry, Publisher) async throws -> Void
    ) async throws {
        let store: any SettingsStore = owned ?? store
        let registry = PrinterRegistry(over: store)
        try await registry.load()
        var configuration = MQTTConfiguration.local((broker ?? self.broker).port, "bridge")
        configuration.protocolVersion = version
        let client = try MQTTClient(configuration: configuration, logger: .quiet)
        let topics = Topics(base: base)
        let context = BridgeContext(topics: topics, registry: registry, owned: owned, logger: .quiet)
        boards.withLock { $0.append(context.warnings) }
        var rendering = RenderContext(topics: topics, epoch: "e", version: "1")
        rendering.publishesDiscovery = false
        rendering.retainsPictures = isRetained
        let manifest = Manifest(store: store)
        let publisher = Publisher(context, client: client, rendering: rendering, info: .sample, manifest: manifest)
        let pictures = PicturePublisher(context, client: client, cache: cache, publisher: publisher)
        let running = [
            Task { try await client.run() }, Task { try await pictures.run() },
            Task {
                try await eventually("all else may be published") { self.mayBegin.value }
                try await publisher.run()
            },
        ]
        try await body(registry, publisher)
        for task in running { task.cancel() }
        for task in running { _ = await task.result }
    }

    /// The pictures that a client gets that subscribes now.
    private func retained() async throws -> [String: String] {
        let witness = try BrokerWitness(port: broker.port)
        let end = MQTTMessage(topic: "end", payload: "x")
        try await eventually("the witness has heard all") {
            _ = try? await witness.client.publish(end)
            return witness.all.contains { $0.topic == "end" }
        }
        return witness.present.filter { $0.key.contains("/snapshot") }
    }

    private func picture(_ text: String) -> Snapshot { Snapshot(jpeg: Array(text.utf8), takenAt: .noon) }

    private func add(_ id: PrinterID, to registry: PrinterRegistry) async {
        _ = await registry.change(id, .configured, source: .request)
    }

    /// Adds a printer with a picture, and waits until the broker has it.
    private func addPicture(to registry: PrinterRegistry) async throws {
        await add("x1", to: registry)
        cache.store(picture("one"), of: PublishedPicture(of: "x1"))
        try await eventually("the picture is retained") { try await retained() == Self.expected }
    }

    @Test(arguments: [true, false])
    func `A picture under an earlier base topic is cleared, even with retained pictures off`(isRetained: Bool)
        async throws
    {
        try await publishing { registry, _ in try await addPicture(to: registry) }
        cache.remove(PublishedPicture(of: "x1"))
        try await publishing(base: "c", isRetained: isRetained) { _, _ in
            try await eventually("the picture is cleared") { try await retained().isEmpty }
        }
    }

    /// Before MQTT 5, a broker ends the connection, and the picture is tried twice.
    @Test(arguments: [MQTTProtocolVersion.v311, .v5])
    func `A picture that is too large is a warning, has no time and delays no other`(_ version: MQTTProtocolVersion)
        async throws
    {
        let broker = try await MosquittoBroker.start { $0.maximumPacketSize = 60_000 }
        try await publishing(on: broker, version: version) { registry, _ in
            for id: PrinterID in ["x1", "x2", "x3"] { await add(id, to: registry) }
            cache.store(picture(String(repeating: "?", count: 100_000)), of: PublishedPicture(of: "x1"))
            cache.store(picture(String(repeating: "?", count: 150_000)), of: PublishedPicture(of: "x2"))
            cache.store(picture("three"), of: PublishedPicture(of: "x3"))
            let witness = try BrokerWitness(port: broker.port)
            try await eventually("the small picture is retained") { witness.present["b/x3/snapshot/at"] != nil }
            #expect(witness.present["b/x1/snapshot/at"] == nil)
            try await eventually("there is a warning, which lasts longer than the session") { !warnings.isEmpty }
            func connections() -> Int { broker.log.matches(of: /New client connected .* as bridge/).count }
            func losses() -> Int { broker.log.matches(of: /Client bridge (disconnected|closed)/).count }
            try await eventually("the connection stays") {
                let before = (connections(), losses())
                guard before.0 > before.1 else { return false }
                try await Task.sleep(for: .seconds(1))
                return (connections(), losses()) == before
            }
        }
        #expect(warnings.allSatisfy { $0.code == .publishRefused })
    }

    @Test func `A fleet's next bridge clears the pictures of a printer that was removed while unserved`() async throws {
        let ownership = PrinterOwnership(group: "f", member: "a")
        ownership.setDeadline(.now + .seconds(60))
        let fleet = OwnedSettingsStore(store, ownership: ownership)
        try await publishing { registry, _ in try await addPicture(to: registry) }
        cache.remove(PublishedPicture(of: "x1"))
        #expect(try await PrinterRegistry(over: store).remove("x1"))
        try await publishing(over: fleet) { _, publisher in
            await publisher.review(["x1"])
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await retained().count == 2, "another bridge has the printer")
            ownership.insert([PrinterSlot(of: "x1")])
            await publisher.review(["x1"])
            try await eventually("the picture is cleared") { try await retained().isEmpty }
        }
    }

    @Test func `Nothing is published while there is something else to publish`() async throws {
        mayBegin.value = false
        try await publishing { registry, _ in
            await add("x1", to: registry)
            cache.store(picture("one"), of: PublishedPicture(of: "x1"))
            try await Task.sleep(for: .milliseconds(500))
            #expect(try await retained().isEmpty)
            mayBegin.value = true
            try await eventually("the picture is retained") { try await retained()["b/x1/snapshot"] == "one" }
        }
    }

    @Test func `A new session gets the pictures again`() async throws {
        try await publishing { registry, _ in try await addPicture(to: registry) }
        let other = try BrokerWitness(port: broker.port)
        try await eventually("somebody clears the picture") {
            (try? await other.client.publish(MQTTMessage(topic: "b/x1/snapshot", payload: "", retain: true))) != nil
        }
        try await publishing { _, _ in
            try await eventually("the picture is retained") { try await retained()["b/x1/snapshot"] == "one" }
        }
    }
}
