import Foundation
import TestSupport
import Testing

/// What is asked of the bridge itself, from the broker to the program.
@Suite("Requests to the bridge", .endsAll, .timeLimit(.minutes(5)))
struct RequestTests {
    @Test func `Options outlast a restart, which runs the program again under the same process id`() async throws {
        let (broker, observer, _, bridge) = try await startBridge()
        let info = "printer2mqtt/bridge/info"
        let first = JSONObject(try await observer.wait(for: info))["instance_id"]
        try await ask("options", #"{"flat_topics": false}"#, observer, broker)
        try await ask("restart", "{}", observer, broker)
        let after = try await observer.wait(for: info) { JSONObject($0)["instance_id"] != first && !$0.isEmpty }
        #expect(after.contains(#""flat_topics":false"#))
        #expect(bridge.isRunning)
    }

    @Test(arguments: [
        ("mqtt:\n  ulr: x\n", "mqtt.ulr"),
        ("printers:\n  x1:\n    access_code: '1'\n", "printers.x1.access_code"),
    ])
    func `A restart on a configuration with a mistake is refused, and the bridge goes on`(
        configuration: String,
        mistake: String
    ) async throws {
        let (broker, observer, program, bridge) = try await startBridge()
        try await broker.set(#"{"model":"x1c"}"#)
        try await observer.wait(for: "printer2mqtt/x1/config", "model", is: "x1c")
        try program.write(configuration)
        let answer = try await ask("restart", "{}", observer, broker)
        #expect(answer.contains(mistake))
        #expect(answer.contains(#""status":"error""#))
        try await broker.set("{}")
        try await observer.wait(for: "printer2mqtt/x1/config")
        #expect(bridge.isRunning)
    }

    @discardableResult
    private func ask(_ verb: String, _ payload: String, _ observer: Observer, _ broker: MosquittoBroker) async throws
        -> String
    {
        try await broker.request(verb, payload)
        return try await observer.wait(for: "printer2mqtt/bridge/response/\(verb)")
    }
}
