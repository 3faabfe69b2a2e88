import Foundation
import TestSupport
import Testing

@Suite("Retained topics that somebody deletes", .timeLimit(.minutes(2)))
struct DeletedTopicsTests {
    /// What a new subscriber gets, but for pictures and the time of the health.
    private func retained(_ broker: MosquittoBroker) async throws -> Set<String> {
        let observer = try await Observer(port: broker.port)
        return Set(observer.messages.filter(\.isRetained).map(\.topic)).subtracting(["printer2mqtt/bridge/health"])
    }

    /// Deletes as MQTT Explorer does: an empty retained message on each topic below a root.
    private func delete(_ topics: Set<String>, _ broker: MosquittoBroker) async throws {
        let directory = try TemporaryDirectory()
        for topic in topics.sorted() {
            let arguments = ["-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-r", "-n", "-t", topic]
            let child = try ChildProcess("mosquitto_pub", arguments, log: directory.file("log"))
            guard await child.exitStatus() == 0 else { throw TestFailure(child.output) }
        }
    }

    @Test(arguments: [("printer2mqtt/", "5"), ("homeassistant/", "5"), ("", "5"), ("", "3.1.1")])
    func `Whichever topic tree is deleted, the bridge republishes all, with MQTT 5 and 3.1.1`(
        root: String,
        version: String
    ) async throws {
        let broker = try await MosquittoBroker.start()
        let program = try BridgeProgram(
            configuration: "mqtt: {url: 'mqtt://127.0.0.1:\(broker.port)', protocol: '\(version)'}"
        )
        let bridge = try program.run()
        try await Observer(port: broker.port).wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        try await publish(#"{"serial":"1"}"#, to: "printer2mqtt/x1/config/set", port: broker.port)
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
        #expect(program.everythingSaid.contains("deleted retained topics"))
        #expect(await bridge.stop() == 0)
    }
}
