import MQTT
import Settings
import TestSupport
import Testing

@testable import Bridge

/// What comes in from a real broker, and what is to go out to it.
@Suite(.timeLimit(.minutes(1))) struct InboxTests {
    private let registry = PrinterRegistry(over: InMemorySettingsStore())
    private let outbox = Outbox()
    private let topics = Topics(base: "b", discoveryPrefix: "h")
    private let broker: MosquittoBroker
    private let client: MQTTClient
    private let other: MQTTClient

    init() async throws {
        broker = try await MosquittoBroker.start()
        client = MQTTClient(configuration: .local(broker.port, "bridge"), logger: .quiet)
        other = MQTTClient(configuration: .local(broker.port, "other"), logger: .quiet)
    }

    /// Runs both inboxes while `body` runs.
    private func receiving(_ body: () async throws -> Void) async throws {
        let store = InMemorySettingsStore()
        let monitor = HealthMonitor(
            registry: registry,
            store: store,
            probe: { _, _ in .healthy },
            announce: { _ in },
            logger: .quiet
        )
        let requests = RequestInbox(
            client: client,
            registry: registry,
            monitor: monitor,
            topics: topics,
            outbox: outbox,
            logger: .quiet
        )
        let account = try await Account.open(broker: "mqtt://b", base: "b", in: store)
        let configs = ConfigInbox(
            client: client,
            registry: registry,
            topics: topics,
            account: account,
            outbox: outbox,
            logger: .quiet
        )
        let running = [
            Task { try await client.run() }, Task { try await other.run() }, Task { await monitor.run() },
            Task { try await requests.run() }, Task { try await configs.run() },
        ]
        defer { for task in running { task.cancel() } }
        // Both subscriptions stand when both have answered.
        var answered: Set<String> = []
        try await eventually("both inboxes answer") {
            _ = try? await other.publish(MQTTMessage(topic: "b/bridge/request/ping", payload: ""))
            _ = try? await other.publish(MQTTMessage(topic: "b/ping/config/set", payload: "?"))
            answered.formUnion(outbox.take().map(\.topic))
            return answered.isSuperset(of: ["b/bridge/response/ping", "b/ping/config/result"])
        }
        try await body()
    }

    /// Publishes a message and gives what is said about it, up to the answer on `topic`.
    private func answers(to message: MQTTMessage, on topic: String) async throws -> [MQTTMessage] {
        try await other.publish(message)
        var answers: [MQTTMessage] = []
        try await eventually("there is an answer on \(topic)") {
            answers += outbox.take()
            return answers.contains { $0.topic == topic }
        }
        return answers
    }

    private func request(_ verb: String, _ payload: String, retain: Bool = false) async throws -> [String: StoredValue]
    {
        let message = MQTTMessage(topic: topics.request(verb), payload: payload, retain: retain)
        let answers = try await answers(to: message, on: topics.response(verb))
        let answer = try #require(answers.first { $0.topic == topics.response(verb) })
        return try #require(try StoredValue(json: answer.text).objectValue)
    }

    @Test("A printer is added, probed and removed by requests; each is answered under its id")
    func requests() async throws {
        try await receiving {
            let settings = #"{"id": 1, "printer": "x1", "settings": {"printer_ip": "192.0.2.7", "access_code": "1"}}"#
            #expect(try await request("printer/add", settings)["status"] == "ok")
            #expect(await registry["x1"]?.configuration.isConfigured == true)
            let again = try await request("printer/add", settings)
            #expect(again["error"]?.objectValue?["code"] == "exists")
            #expect(again["id"] == 1)
            try await eventually("it is probed") { await registry["x1"]?.stream.status == .healthy }
            #expect(try await request("printer/probe", #"{"printer": "x1"}"#)["status"] == "ok")
            #expect(try await request("printer/remove", #"{"printer": "x1"}"#)["status"] == "ok")
            #expect(await registry.ids.isEmpty)
            for verb in ["printer/remove", "printer/probe"] {
                let answer = try await request(verb, #"{"id": "q", "printer": "x1"}"#)
                #expect(answer["error"]?.objectValue?["code"] == "not_found")
                #expect(answer["id"] == "q")
            }
        }
    }

    @Test("A request that is not known is told which are")
    func unknownVerb() async throws {
        try await receiving {
            let answer = try await request("printer/fly", #"{"id": "q"}"#)
            #expect(answer["id"] == "q")
            let error = try #require(answer["error"]?.objectValue)
            #expect(error["code"] == "unknown_verb")
            for verb in RequestVerb.allCases { #expect(error["message"]?.stringValue?.contains(verb.rawValue) == true) }
        }
    }

    @Test("A retained request is not carried out, and told so")
    func retained() async throws {
        try await receiving {
            let answer = try await request("printer/add", #"{"printer": "x1"}"#, retain: true)
            #expect(answer["error"]?.objectValue?["code"] == "retained")
            #expect(await registry.ids.isEmpty)
        }
    }

    @Test("A fault in the settings of a new printer is named by its path")
    func badSettings() async throws {
        try await receiving {
            let answer = try await request("printer/add", #"{"printer": "x1", "settings": {"probe_interval": 1}}"#)
            #expect(answer["error"]?.objectValue?["path"] == "settings.probe_interval")
            #expect(await registry.ids.isEmpty)
        }
    }

    @Test("The answer to a patch also goes where the sender asked for it, with the sender's mark")
    func responseTopic() async throws {
        try await receiving {
            var message = MQTTMessage(topic: topics.configSet("x1"), payload: #"{"id": "q", "set": {"serial": "A"}}"#)
            message.properties.responseTopic = "mine/answers"
            message.properties.correlationData = [1, 2, 3]
            let answers = try await answers(to: message, on: "mine/answers")
            let mine = try #require(answers.first { $0.topic == "mine/answers" })
            #expect(mine.properties.correlationData == [1, 2, 3])
            #expect(mine.payload == answers.first { $0.topic == topics.configResult("x1") }?.payload)
            #expect(mine.text.contains(#""status":"applied""#))
        }
    }

    @Test("A secret leaves the broker, after the answer to it")
    func secret() async throws {
        try await receiving {
            let message = MQTTMessage(
                topic: topics.configSet("x1"),
                payload: #"{"access_code": "hunter2"}"#,
                retain: true
            )
            let answers = try await answers(to: message, on: topics.event("x1"))
            let clearing = try #require(answers.first { $0.topic == topics.configSet("x1") })
            #expect(clearing.payload.isEmpty)
            #expect(clearing.retain)
            #expect(!answers.contains { $0.text.contains("hunter2") })
        }
    }

    @Test("Empty messages and names that are no printer's get no answer")
    func unanswered() async throws {
        try await receiving {
            try await other.publish(MQTTMessage(topic: "b/x1/config/set", payload: "", retain: true))
            try await other.publish(MQTTMessage(topic: "b/No Name/config/set", payload: "{}"))
            let patch = MQTTMessage(topic: topics.configSet("x2"), payload: "{}")
            let answers = try await answers(to: patch, on: topics.configResult("x2"))
            #expect(!answers.contains { $0.topic.hasPrefix("b/x1/") || $0.topic.contains("No Name") })
            #expect(await registry.ids == ["x2"])
        }
    }
}
