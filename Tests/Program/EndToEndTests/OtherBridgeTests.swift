import Foundation
import TestSupport
import Testing

@Suite("Two bridges on one base topic", .endsAll, .timeLimit(.minutes(5)))
struct OtherBridgeTests {
    @Test(arguments: ["5", "3.1.1"])
    func `Two bridges with their own client ids warn briefly, and the one that stays is online`(protocolVersion: String)
        async throws
    {
        let broker = try await MosquittoBroker.start()
        let bridges = try ["one", "two"].map { name in
            // Without servers, whose ports other tests take and leave.
            let servers = "http: {enabled: false}\nrtsp: {port: 0}"
            let lines = "  protocol: '\(protocolVersion)'\n  client_id: \(name)\n\(servers)"
            return try Program(broker: broker.port, lines)
        }
        let observer = try await Observer(broker, topic: "printer2mqtt/bridge/#")
        @Sendable func infos() -> [JSONObject] {
            observer.messages.filter { $0.topic == "printer2mqtt/bridge/info" }.map { JSONObject($0.payload) }
        }
        @Sendable func warning(_ info: JSONObject) -> Bool { info.text.contains("base_topic_in_use") }

        let first = try bridges[0].start()
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        let second = try bridges[1].start()
        try await eventually("both warn") { Set(infos().filter(warning).compactMap { $0["instance_id"] }).count == 2 }
        for bridge in bridges {
            #expect(bridge.everythingSaid.contains("base topic 'printer2mqtt'"), "\(bridge.everythingSaid)")
        }
        let doctor = try await bridges[0].run("doctor")
        #expect(doctor.output.contains("give it a mqtt.base_topic of its own"), "\(doctor.output)")
        let said = infos().count
        #expect(said <= 6, "\(infos().map(\.text))")
        try await broker.request("health", "ping")
        try await eventually("both have answered") {
            observer.messages.count { $0.topic == "printer2mqtt/bridge/response/health" } == 2
        }
        #expect(infos().count == said, "they go on about it")

        #expect(await second.stop() == 0)
        try await eventually("the first is online, and warns no more") {
            let last = infos().last
            return observer.latest["printer2mqtt/bridge/availability"] == "online"
                && last?["instance_id"] == infos().first?["instance_id"] && last.map(warning) == false
        }
        #expect(await first.stop() == 0)
    }
}
