import Foundation
import MQTT
import TestSupport
import Testing

@Suite("The documentation", .endsAll, .timeLimit(.minutes(5)))
struct DocumentationTests {
    @Test func `The documentation has only snippets that are compiled here, word for word`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snippets.swift")
        let catalog = projectFolder.appending(path: "Sources/Protocols/MQTT/MQTT.docc")
        #expect(try uncompiledSnippets(in: catalog, compiled: file) == [])
    }

    @Test func `The documentation does what it says, on a real broker`() async throws {
        let broker = try await MosquittoBroker.start()
        var configuration = MQTTConfiguration.local(broker.port, "one")
        Snippets.session(&configuration)
        try await Snippets.scope(configuration)
        let running = try RunningClient(configuration)
        let client = running.client
        let events = Task { await Snippets.events(client) }
        try await running.session()
        try await Snippets.publish(client)
        try await Snippets.publish(Snippets.properties(), client)
        await running.stop()
        await events.value
    }
}
