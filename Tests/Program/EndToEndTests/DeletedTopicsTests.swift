import Foundation
import TestSupport
import Testing

@Suite("Retained topics that somebody deletes", .endsAll, .timeLimit(.minutes(5)))
struct DeletedTopicsTests {
    /// What a new subscriber gets, but for pictures and the time of the health.
    private func retained(_ broker: MosquittoBroker) async throws -> Set<String> {
        let observer = try await Observer(broker)
        return Set(observer.messages.filter(\.isRetained).map(\.topic)).subtracting(["printer2mqtt/bridge/health"])
    }

    /// Deletes as MQTT Explorer does: an empty retained message on each topic below a root.
    private func delete(_ topics: Set<String>, _ broker: MosquittoBroker) async throws {
        for topic in topics.sorted() { try await broker.publish("", to: topic, retain: true) }
    }

    @Test(arguments: [("printer2mqtt/", "5"), ("homeassistant/", "5"), ("", "5"), ("", "3.1.1")])
    func `Whichever topic tree is deleted, the bridge republishes all, with MQTT 5 and 3.1.1`(
        root: String,
        version: String
    ) async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(broker: broker.port, "  protocol: '\(version)'")
        let bridge = try program.start()
        try await Observer(broker).wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        try await broker.set(#"{"serial":"1"}"#)
        var all: Set<String> = []
        try await eventually("all topics") {
            let before = all
            all = try await retained(broker)
            return all.contains("printer2mqtt/x1/stream") && all == before
        }
        #expect(all.contains("homeassistant/device/printer2mqtt_x1/config"))
        try await delete(all.filter { $0.hasPrefix(root) }, broker)
        // On a busy machine the deletion outlasts the first pause; all is published once more a minute later.
        try await eventually("they are back", timeout: .seconds(90)) { try await retained(broker) == all }
        #expect(program.everythingSaid.contains("changes topics of the bridge"))
        #expect(await bridge.stop() == 0)
    }
}
