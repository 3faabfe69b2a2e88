import Foundation
import TestSupport
import Testing

@Suite("The broker as it is shipped", .endsAll, .timeLimit(.minutes(5)))
struct BrokerACLTests {
    private static let users = ["printer2mqtt", "homeassistant", "dashboard", "recorder"]

    @Test func `The bridge may do all that it does, and Home Assistant can set a printer up`() async throws {
        let broker = try await ShippedBroker()
        let bridge = try broker.makeBridge()
        let homeAssistant = try broker.listen(as: "homeassistant")
        let recorder = try broker.listen(as: "recorder")
        let running = try bridge.start()
        try await homeAssistant.waitForOutput("printer2mqtt/bridge/availability\tonline")
        // Both hear of nothing that is not theirs, so their birth and command prove that the bridge hears them.
        let command = #"{"printer_ip":"127.0.0.1","access_code":"canary-5","stream_port":9}"#
        try await broker.publish(command, to: "printer2mqtt/x1/config/set", as: "homeassistant", ["-r"])
        try await homeAssistant.waitForOutput("printer2mqtt/x1/config\t{")
        try await homeAssistant.waitForOutput("printer2mqtt/x1/config/result\t{")
        try await homeAssistant.waitForOutput("printer2mqtt/x1/stream/status\tdown")
        try await homeAssistant.waitForOutput("printer2mqtt/x1/event\t")
        try await recorder.waitForOutput(
            "printer2mqtt/x1/secret/stream_url\trtsps://bblp:canary-5@127.0.0.1:9/streaming/live/1"
        )
        try await broker.publish("{}", to: "printer2mqtt/bridge/request/health", as: "homeassistant")
        try await homeAssistant.waitForOutput("printer2mqtt/bridge/response/health\t{")
        let devices = { homeAssistant.output.components(separatedBy: "homeassistant/device/").count }
        let before = devices()
        try await broker.publish("online", to: "homeassistant/status", as: "homeassistant")
        try await eventually("discovery after Home Assistant's birth") { devices() > before }
        #expect(try await bridge.run("health").status == 0)
        let doctor = try await bridge.run("doctor", "--json")
        #expect(doctor.output.contains("printer_down"), "\(doctor.output)")
        for situation in ["publish_refused", "discovery_refused", "commands_unreadable", "bridge_problem"] {
            #expect(!doctor.output.contains(situation), "\(doctor.output)")
        }
        let list = try await bridge.run("printer", "list")
        #expect(list.output.contains(/x1 .* down +[a-z_]+/), "\(list.output)")
        #expect(await running.stop() == 0)
        let health = try await bridge.run("health")
        #expect(health.status == 1 && health.output.contains("the bridge is offline: none runs on"), "\(health.output)")
        try await homeAssistant.waitForOutput("printer2mqtt/bridge/availability\toffline")

        #expect(!broker.log.contains("Denied PUBLISH from printer2mqtt"), "\(broker.log)")
        #expect(!homeAssistant.output.contains("canary-5") && !homeAssistant.output.contains("/secret/"))
    }

    private static func whole(_ topic: String) -> String { topic.replacing(/^p\//, with: "printer2mqtt/") }

    /// Who may write what; `p` stands for the base topic.
    private static let writes: [(users: Set<String>, topics: [String])] = [
        (
            ["printer2mqtt"],
            [
                "p/bridge/availability", "p/bridge/info", "p/bridge/health", "p/bridge/schema", "p/bridge/log",
                "p/bridge/response/health", "p/bridge/response/health/a-client", "p/x1/config", "p/x1/config/result",
                "p/x1/availability", "p/x1/stream", "p/x1/stream/status", "p/x1/stream/url", "p/x1/camera",
                "p/x1/print", "p/x1/print/state", "p/x1/secret/stream_url", "p/x1/event",
            ]
        ),
        (
            ["printer2mqtt", "homeassistant"],
            ["homeassistant/device/printer2mqtt_x1/config", "p/x1/config/set", "p/bridge/request/printer/probe"]
        ),
        (
            ["homeassistant"],
            ["homeassistant/status", "homeassistant/device/x/y/config", "homeassistant/device/printer2mqtt_x1/other"]
        ),
        ([], ["elsewhere", "zigbee2mqtt/lamp/set"]),
    ]

    @Test func `Only the bridge may write the bridge's reports`() async throws {
        let broker = try await ShippedBroker()
        for (allowed, topics) in Self.writes {
            for topic in topics.map(Self.whole) {
                for user in Self.users {
                    let isAllowed = try await broker.publish("x", to: topic, as: user)
                    #expect(isAllowed == allowed.contains(user), "\(user) writes \(topic)")
                }
            }
        }
    }

    @Test func `Answers reach only response topics below bridge/response, whoever requests them`() async throws {
        let broker = try await ShippedBroker()
        let bridge = try broker.makeBridge()
        let running = try bridge.start()
        let homeAssistant = try broker.listen(as: "homeassistant")
        try await homeAssistant.waitForOutput("printer2mqtt/bridge/availability\tonline")
        let topics = [
            "zigbee2mqtt/lamp/set", "printer2mqtt/x1/config/set", "printer2mqtt/bridge/request/restart",
            "homeassistant/device/x/config", "printer2mqtt/bridge/response/mine",
        ]
        for topic in topics {
            let options = ["-D", "publish", "response-topic", topic]
            try await broker.publish("{}", to: "printer2mqtt/bridge/request/health", as: "homeassistant", options)
        }
        try await homeAssistant.waitForOutput("printer2mqtt/bridge/response/mine\t{")
        let answers = broker.log.matches(of: /(Received|Denied) PUBLISH from printer2mqtt[^']*'([^']+)'/)
        func heard(_ topic: String) -> [Substring] { answers.filter { $0.2 == topic }.map(\.1) }
        #expect(heard("zigbee2mqtt/lamp/set") == ["Denied"], "the broker keeps it inside")
        for topic in topics[1...3] { #expect(heard(topic) == [], "the bridge does not try: \(topic)") }
        #expect(heard("printer2mqtt/bridge/response/mine") == ["Received"])
        #expect(await running.stop() == 0)
    }

    /// Who hears what.
    private static let reads: [(users: Set<String>, topics: [String])] = [
        (
            ["printer2mqtt", "homeassistant", "dashboard", "recorder"],
            [
                "p/bridge/availability", "p/x1/availability", "p/x1/stream", "p/x1/stream/status", "p/x1/stream/reason",
                "p/x1/stream/latency_ms", "p/x1/stream/checked_at",
            ]
        ),
        (
            ["printer2mqtt", "homeassistant"],
            [
                "p/bridge/info", "p/bridge/members/a", "p/bridge/response/health", "p/x1/config", "p/x1/config/result",
                "p/x1/camera", "p/x1/print", "p/x1/print/job", "p/x1/print/link", "p/x1/snapshot", "p/x1/snapshot/at",
                "p/x1/event",
            ]
        ),
        (["homeassistant"], ["homeassistant/device/printer2mqtt_x1/config"]),
        (
            ["printer2mqtt"],
            ["p/x1/config/set", "p/bridge/request/health", "p/bridge/request/printer/add", "p/x1/secret/other"]
        ),
        (["printer2mqtt", "homeassistant", "recorder"], ["p/x1/stream/url"]),
        (["printer2mqtt", "homeassistant", "dashboard"], ["p/x1/print/state", "p/x1/print/progress"]),
        (["printer2mqtt", "recorder"], ["p/x1/secret/stream_url"]),
    ]

    @Test func `The recorder alone hears secrets, Home Assistant the rest, and a dashboard only states`() async throws {
        let broker = try await ShippedBroker()
        var listeners: [String: ChildProcess] = [:]
        for user in Self.users { listeners[user] = try broker.listen(as: user) }
        // What everybody hears, again and again until everybody has: all are subscribed from then on.
        let marks = ["homeassistant/status": "homeassistant", "printer2mqtt/x9/availability": "printer2mqtt"]
        func mark(_ text: String) async throws {
            try await eventually("all hear \(text)") {
                for (topic, user) in marks { try await broker.publish(text, to: topic, as: user) }
                return listeners.values.allSatisfy { $0.output.contains("\t\(text)\n") }
            }
        }
        try await mark("begin")
        for topic in Self.reads.flatMap(\.topics) {
            try await broker.publish("heard", to: Self.whole(topic), as: "printer2mqtt")
        }
        try await mark("end")
        for (user, listener) in listeners {
            let lines = listener.output.split(separator: "\n").filter { $0.hasSuffix("\theard") }
            let due = Self.reads.filter { $0.users.contains(user) }.flatMap(\.topics).map(Self.whole)
            #expect(Set(lines.map { String($0.dropLast(6)) }).sorted() == due.sorted(), "\(user)")
        }
    }

    @Test func `Nobody comes in without a name and the right password`() async throws {
        let broker = try await ShippedBroker()
        let right = ["-u", "dashboard", "-P", ShippedBroker.password(of: "dashboard")]
        for account in [right, [], ["-u", "dashboard"], ["-u", "dashboard", "-P", "x"], ["-u", "nobody", "-P", "x"]] {
            let child = try broker.client("mosquitto_sub", account + ["-t", "a", "-E"])
            #expect(await child.exitStatus() == (account == right ? 0 : 135), "\(account)")
        }
    }
}
