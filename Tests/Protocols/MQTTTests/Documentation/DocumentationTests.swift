import Foundation
import MQTT
import TestSupport
import Testing

@Suite("The documentation", .timeLimit(.minutes(1)))
struct DocumentationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let catalog = projectFolder.appending(path: "Sources/Protocols/MQTT/MQTT.docc")

    private static func text(_ article: String) throws -> String {
        try String(contentsOf: catalog.appending(path: article), encoding: .utf8)
    }

    /// Without what depends on where it stands.
    private static func unindented(_ code: String) -> String {
        code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test("The documentation has only snippets that are compiled here, word for word")
    func documentationSnippets() throws {
        let file = Self.folder.appending(path: "Snippets.swift")
        let compiled = Self.unindented(try String(contentsOf: file, encoding: .utf8))
        let articles = try FileManager.default.contentsOfDirectory(atPath: Self.catalog.path)
        #expect(articles.count == 4)
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

    @Test("The documentation does what it says, on a real broker")
    func documentationSays() async throws {
        let broker = try await MosquittoBroker.start()
        var configuration = MQTTConfiguration.local(broker.port, "one")
        Snippets.session(&configuration)
        try await Snippets.scope(configuration)
        let running = RunningClient(configuration)
        let client = running.client
        let events = Task { await Snippets.events(client) }
        try await running.session()
        try await Snippets.publish(client)
        try await Snippets.publish(Snippets.properties(), client)
        await running.stop()
        await events.value
    }
}
