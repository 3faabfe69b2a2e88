import Foundation
import MQTT
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The documentation` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let catalog = folder.appending(path: "../../../Sources/MQTT/MQTT.docc").standardized

    private static func text(_ article: String) throws -> String {
        try String(contentsOf: catalog.appending(path: article), encoding: .utf8)
    }

    /// Without what depends on where it stands.
    private static func unindented(_ code: String) -> String {
        code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test func `has only snippets that are compiled here, word for word`() throws {
        let file = Self.folder.appending(path: "Snippets.swift")
        let compiled = Self.unindented(try String(contentsOf: file, encoding: .utf8))
        let articles = try FileManager.default.contentsOfDirectory(atPath: Self.catalog.path)
        #expect(articles.count == 8)
        for article in articles {
            let snippets = try Self.text(article).components(separatedBy: "```swift\n").dropFirst().map {
                $0.components(separatedBy: "```")[0]
            }
            #expect(!snippets.isEmpty, "\(article)")
            for snippet in snippets {
                let isCompiled = compiled.contains(Self.unindented(snippet))
                #expect(isCompiled, "\(article):\n\(snippet)")
            }
        }
    }

    @Test func `does what it says, on a real broker`() async throws {
        let broker = try await MosquittoBroker.start()
        var configuration = MQTTConfiguration.local(broker.port, "one")
        Snippets.queue(&configuration)
        Snippets.session(&configuration)
        Snippets.offline(&configuration)
        try await Snippets.scope(configuration)
        let running = RunningClient(configuration)
        let client = running.client
        let events = Task { await Snippets.events(client) }
        try await running.session()
        try await Snippets.publish(client)
        try await Snippets.publish(Snippets.properties(), client)
        #expect(try await Snippets.buffers(client).count == 2)
        let server = Task { try await Snippets.answer(client) }
        try await eventually("the answering side is there") { (try? await Snippets.ask(client)) == "42" }
        server.cancel()
        await running.stop()
        await events.value
    }

    @Test func `names the level and the metadata of each line of the log`() async throws {
        let lines = LogLines()
        let port = try freePort()
        let client = MQTTClient(configuration: .local(port, "one"), logger: lines.logger)
        let run = Task { try await client.run() }
        try await eventually("nobody answers") { lines.all.contains("debug: cannot connect") }
        let broker = try await MosquittoBroker.start(port: port)
        try await eventually("connected") { lines.all.contains("info: connected") }
        await broker.kill()
        try await eventually("lost") { lines.all.contains("info: disconnected") }
        try await broker.start()
        try await eventually("back") { lines.all.filter { $0 == "info: connected" }.count == 2 }
        run.cancel()
        _ = await run.result
        #expect(lines.all.last == "debug: disconnected")

        let server = try ScriptedBroker { peer, connection in
            if connection == 1 {
                try peer.receive(type: 1)
                return try peer.send(Packet.connack(135))
            }
            try peer.accept()
            let id = Packet.identifier(of: try peer.receive(type: 8))
            try peer.send(Packet.suback(id, [0x87]) + [0x00, 0])
            try peer.drain()
        }
        let refused = MQTTClient(configuration: .local(server.port, "one"), logger: lines.logger)
        let second = Task { try await refused.run() }
        await #expect(throws: MQTTError.self) { try await refused.subscribe([.init("secret/canary")]) }
        try await eventually("a broken rule") { lines.all.contains("warning: disconnected") }
        second.cancel()
        _ = await second.result
        server.stop()
        let old = MQTTConfiguration.local(broker.port, "old") {
            ($0.protocolVersion, $0.maximumPacketSize) = (.v311, 1_000)
        }
        let narrow = MQTTClient(configuration: old, logger: lines.logger)
        let third = Task { try await narrow.run() }
        let subscription = try await narrow.subscribe([.init("a")])
        try await narrow.publish(.init(topic: "a", payload: [UInt8](repeating: 0, count: 5_000)))
        try await eventually("too large") { lines.all.contains("warning: a message is too large and left out") }
        subscription.cancel()
        third.cancel()
        _ = await third.result
        await broker.stop()
        #expect(lines.all.contains("warning: cannot connect"))
        #expect(lines.all.contains("warning: a subscription is refused"))

        let table = try Self.text("Logging.md").split(separator: "\n").filter { $0.contains("| `") }
        let promised = Set(table.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: [" ", "`"]) } })
        #expect(Set(lines.all) == Set(promised.map { "\($0[0]): \($0[1])" }), "each line of the table, and no other")
        for keys in lines.metadata where keys.count > 1 { #expect(keys == ["broker", "code", "reason", "retry_in"]) }
    }
}
