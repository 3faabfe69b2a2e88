import CameraProtocols
import Foundation
import JSON
import MQTT
import PrinterSamples
import Recorder
import Relay
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

@Suite(.timeLimit(.minutes(5))) struct PublisherTests {
    private let store = FailingStore()
    private let registry: PrinterRegistry
    private let broker: MosquittoBroker
    private let witness: BrokerWitness

    init() async throws {
        registry = PrinterRegistry(over: store, stormLimit: 0, now: { Date() })
        let broker = try await MosquittoBroker.start()
        self.broker = broker
        witness = try BrokerWitness(port: broker.port)
    }

    /// Runs a bridge's publisher while `body` runs.
    private func publishing(
        on other: MosquittoBroker? = nil,
        clips: ClipDesk = ClipDesk(),
        _ body: (Publisher, BridgeContext) async throws -> Void
    ) async throws {
        let client = try MQTTClient(configuration: .local((other ?? broker).port, "bridge"), logger: .quiet)
        let topics = Topics(base: "b", discoveryPrefix: "h")
        let context = BridgeContext(topics: topics, registry: registry, clips: clips, logger: .quiet)
        var rendering = RenderContext(topics: context.topics, epoch: "e", version: "1")
        rendering.viewerAddresses = .init(relay: .address("rtsp://127.0.0.1:9554/"), page: "http://127.0.0.1:9464/")
        let manifest = Manifest(store: store)
        let publisher = Publisher(context, client: client, rendering: rendering, info: .sample, manifest: manifest)
        let running = [Task { try await client.run() }, Task { try await publisher.run() }]
        func stop() { for task in running { task.cancel() } }
        defer { stop() }
        try await body(publisher, context)
        stop()
        for task in running { _ = await task.result }
    }

    /// Whether the bridge tells a text about itself.
    private func isTold(_ text: String) -> Bool { witness.present["b/bridge/info"]?.contains(text) == true }

    private func online() async throws {
        try await eventually("it is online") { witness.present["b/bridge/availability"] == "online" }
    }

    @Test func `Warnings of a kind are replaced, and what a broker refused ends with the session`() async throws {
        try await publishing { _, context in
            try await online()
            context.warnings.warn(BridgeWarning(.publishRefused, "refused"))
            context.warnings.warn(BridgeWarning(.decoderMissing, "withheld"))
            let (one, two) = (BridgeWarning(.secretDamaged, "one"), BridgeWarning(.secretDamaged, "two"))
            context.warnings.replace(.secretDamaged, with: [one, two])
            try await eventually("two of a kind are told") { isTold("one") && isTold("two") }
            context.warnings.replace(.secretDamaged, with: [two])
            try await eventually("one of them is left") { !isTold("one") && isTold("two") }
            try await eventually("both are told") { isTold("refused") && isTold("withheld") }
            await broker.kill()
            try await broker.start()
            try await eventually("one is left", timeout: .seconds(30)) { !isTold("refused") && isTold("withheld") }
        }
    }

    @Test(arguments: ["x1c", "p1s"])
    func `A camera has no address for viewers while the server that has it does not run`(model: String) async throws {
        let isVideo = model == "x1c"
        await registry.receive("x1", #"{"model": "\#(model)", "printer_ip": "192.0.2.7", "access_code": "12345678"}"#)
        try await publishing { _, context in
            func address() -> JSONValue? {
                let stream = witness.present["b/x1/stream"].flatMap { try? JSONValue(json: $0).objectValue }
                return stream?["viewer_url"]
            }
            let expected = isVideo ? "rtsp://127.0.0.1:9554/x1" : "http://127.0.0.1:9464/camera/x1/stream"
            try await eventually("the address") { address() == .string(expected) }
            let failure = PortFailure(host: "h", port: 1, section: "s", CancellationError())
            context.warnings.warn(isVideo ? .relayNotServed(failure) : .pageNotServed(failure))
            try await eventually("there is none") { address() == .null }
        }
    }

    @Test func `What a broker refused is published once it may be; no warning is about a client's topic`() async throws
    {
        let broker = try await MosquittoBroker.start { $0.acl = "topic readwrite b/#\n" }
        let reader = try BrokerWitness(port: broker.port)
        try await publishing(on: broker) { publisher, context in
            context.outbox.post([MQTTMessage(on: "mine/answers", payload: "{}")], as: .answer)
            try await eventually("discovery and the answer are refused") { context.counters[.refused] >= 2 }
            await publisher.report(context.health)
            #expect(context.warnings.list.sorted.map(\.code) == [.publishRefused])
            #expect(context.warnings.list.sorted.first?.message.contains("mine/answers") == false)
            try broker.allow("topic readwrite #\n")
            try await eventually("the warning is over") {
                await publisher.report(context.health)
                return context.warnings.list.sorted.isEmpty
            }
            try await eventually("discovery is there") { reader.present[context.topics.bridgeDevice] != nil }
        }
    }

    @Test func `The word about a clip is owed on disk until the broker has it`() async throws {
        let directory = try TemporaryDirectory()
        let folder = ClipFolder(path: directory.url.path)
        let clip = ClipName("x1", event: "print_failed", at: .noon)
        try folder.promise(clip)
        try await publishing(clips: ClipDesk(folder)) { _, context in
            try await online()
            broker.signal(SIGSTOP)
            await context.finish(clip, "No picture.")
            #expect(ClipFolder(path: folder.path).owed.map(\.problem) == ["No picture."])
            broker.signal(SIGCONT)
            try await eventually("the broker has it", timeout: .seconds(30)) { !folder.isOwed(clip) }
            var told: [String] { witness.all.filter { $0.topic == "b/x1/event" }.map(\.payload) }
            try await eventually("another client has it") { !told.isEmpty }
            #expect(told.count == 1 && told[0].contains("clip_lost") && told[0].contains("No picture."))
            #expect(told.first?.contains(clip.picturePath) == false)
        }
    }

    @Test func `A printer is added, renamed and removed at the broker without reading the store`() async throws {
        try await registry.load()
        try await publishing { _, _ in
            try await online()
            func published() -> [PrinterID] {
                (["x1", "x2"] as [PrinterID]).filter { witness.present["b/\($0)/config"] != nil }
            }
            let before = store.readCount
            _ = await registry.change("x1", .configured, source: .request)
            try await eventually("it is published") { published() == ["x1"] }
            try await registry.rename("x1", to: "x2")
            try await eventually("it has its new name") { published() == ["x2"] }
            _ = try await registry.remove("x2")
            try await eventually("it is cleared") { published().isEmpty }
            #expect(store.readCount == before)
        }
    }

    @Test func `Everything is published, discovery first and 'online' last`() async throws {
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "1"}"#)
        try await publishing { _, _ in
            try await online()
            let topics = witness.all.map(\.topic)
            #expect(topics.last == "b/bridge/availability")
            #expect(topics.contains("b/x1/secret/stream_url") && topics.contains("b/bridge/info"))
            let discovery = try #require(topics.firstIndex(of: "h/device/b_x1/config"))
            let config = try #require(topics.firstIndex(of: "b/x1/config"))
            #expect(discovery < config)
            #expect(Set(topics).count == topics.count, "each is published once")
        }
    }

    @Test func `Answers come after the change that they are about`() async throws {
        await registry.receive("x1", "{}")
        try await publishing { _, context in
            try await online()
            for number in 1...50 {
                await registry.receive("x1", #"{"serial": "\#(number)"}"#)
                context.outbox.post([MQTTMessage(topic: "b/x1/config/result", payload: "\(number)")], as: .answer)
            }
            try await eventually("all are answered") {
                witness.all.contains { $0 == .init(topic: "b/x1/config/result", payload: "50") }
            }
            var reported = 0
            for message in witness.all {
                if message.topic == "b/x1/config" {
                    let document = try JSONValue(json: message.payload).objectValue
                    reported = document?["serial"]?.stringValue.flatMap { Int($0) } ?? 0
                } else if message.topic == "b/x1/config/result" {
                    #expect(reported >= Int(message.payload) ?? .max)
                }
            }
        }
    }

    @Test func `What probes see is published, and not written to the disk each time`() async throws {
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "1"}"#)
        let printer = try #require(registry["x1"])
        let target = try #require(ProbeTarget(printer.committed))
        try await publishing { _, _ in
            try await online()
            _ = await registry.record(.healthy, of: "x1", target: target, validity: .seconds(600))
            try await eventually("it is healthy") { witness.present["b/x1/stream/status"] == "healthy" }
            let before = try store.record("manifest/x1")
            for report in [ProbeReport.failed(.busy), .healthy, .failed(.busy), .failed(.busy), .healthy] {
                _ = await registry.record(report, of: "x1", target: target, validity: .seconds(600))
                let isHealthy = report.isHealthy
                try await eventually("it is seen") { (witness.present["b/x1/stream/latency_ms"] != nil) == isHealthy }
            }
            #expect(try store.record("manifest/x1") == before)
        }
    }
}
