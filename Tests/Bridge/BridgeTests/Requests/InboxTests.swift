import Logging
import MQTT
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Cameras
@testable import Printers

/// What comes in from a real broker, and what is to go out to it.
@Suite(.timeLimit(.minutes(5))) struct InboxTests {
    private let store = FailingStore()
    private let registry: PrinterRegistry
    private let context: BridgeContext
    private let settings = RuntimeOptions(store: InMemorySettingsStore(), scope: RuntimeOptions.scope)
    private var topics: Topics { context.topics }
    private let broker: MosquittoBroker
    private let other: MQTTClient

    init() async throws {
        registry = PrinterRegistry(over: store)
        let topics = Topics(base: "b", discoveryPrefix: "h")
        context = BridgeContext(topics: topics, registry: registry, logger: .quiet)
        broker = try await MosquittoBroker.start { $0.acl = "topic readwrite #\n" }
        other = try MQTTClient(configuration: .local(broker.port, "other"), logger: .quiet)
    }

    /// Runs both inboxes while `body` runs.
    private func receiving(
        restart: BridgeRestart? = nil,
        version: MQTTProtocolVersion = .v5,
        markers: Duration = .seconds(60),
        _ body: () async throws -> Void
    ) async throws {
        var configuration = MQTTConfiguration.local(broker.port, "bridge")
        configuration.protocolVersion = version
        let client = try MQTTClient(configuration: configuration, logger: .quiet)
        let handler = RequestHandler(of: context, settings, restarting: restart)
        var requests = try RequestInbox(context, client: client, handler: handler)
        var configs = try ConfigInbox(context, client: client, store: InMemorySettingsStore())
        #expect(requests.proof.interval <= .seconds(60))
        (requests.proof.timeout, requests.proof.interval) = (markers, markers)
        (configs.proof.timeout, configs.proof.interval) = (markers, markers)
        let running = [
            Task { try await client.run() }, Task { try await other.run() }, Task { await handler.probes.run() },
            Task { [requests] in try await requests.run() }, Task { [configs] in try await configs.run() },
        ]
        defer { for task in running { task.cancel() } }
        // Both subscriptions stand when both have answered.
        var answered: Set<String> = []
        try await eventually("both inboxes answer") {
            _ = try? await other.publish(MQTTMessage(topic: "b/bridge/request/ping", payload: "{}"))
            _ = try? await other.publish(MQTTMessage(topic: "b/ping/config/set", payload: "?"))
            answered.formUnion(context.outbox.take().map(\.message.topic.name))
            return answered.isSuperset(of: ["b/bridge/response/ping", "b/ping/config/result"])
        }
        try await body()
    }

    @Test func `A right to read that is taken away while the bridge runs is missed until it is back`() async throws {
        try await receiving(markers: .seconds(2)) {
            let (commands, requests) = ("b/+/config/set", "b/bridge/request/#")
            for (readable, unreadable) in [("x", [commands, requests]), (commands, [requests]), ("#", [])] {
                try broker.allow("topic write #\ntopic read \(readable)\n")
                let expected = unreadable.map { BridgeWarning.unreadableCommands($0).message }
                try await eventually("the warnings") { context.warnings.list.sorted.map(\.message) == expected }
            }
        }
    }

    /// Publishes a message and gives what is said about it, up to the answer on `topic`.
    private func answers(to message: MQTTMessage, on topic: String) async throws -> [MQTTMessage] {
        try await other.publish(message)
        var answers: [MQTTMessage] = []
        try await eventually("there is an answer on \(topic)") {
            // One of several calls that found out whether the inboxes stand may be answered late.
            answers += context.outbox.take().map(\.message).filter { !$0.topic.name.contains("/ping") }
            return answers.contains { $0.topic.name == topic }
        }
        return answers
    }

    /// A message, as a client of the broker would send it.
    private func message(_ payload: String, to topic: String, retain: Bool = false) throws -> MQTTMessage {
        MQTTMessage(topic: try MQTTTopic(topic), payload: payload, retain: retain)
    }

    private func request(_ verb: String, _ payload: String, retain: Bool = false) async throws -> [String: JSONValue] {
        let message = try message(payload, to: topics.request(verb), retain: retain)
        let answers = try await answers(to: message, on: topics.response(verb))
        let answer = try #require(answers.first { $0.topic.name == topics.response(verb) })
        return try #require(try JSONValue(json: answer.text).objectValue)
    }

    @Test func `A printer is added, probed and removed by requests; each is answered under its id`() async throws {
        try await receiving {
            let settings = #"{"id": 1, "printer": "x1", "settings": {"printer_ip": "192.0.2.7", "access_code": "1"}}"#
            #expect(try await request("printer/add", settings)["status"] == "ok")
            #expect(registry["x1"]?.committed.isConfigured == true)
            let again = try await request("printer/add", #"{"id": 2, "printer": "x1"}"#)
            #expect(again["error"]?.objectValue?["code"] == "exists")
            #expect(again["id"] == 2)
            let envelope = try await request("printer/add", #"{"printer": "x2", "settings": {"id": "1", "set": {}}}"#)
            #expect(envelope["error"]?.objectValue?["path"] == "settings.id")
            let wrong = #"{"printer": "x2", "settings": {"a": 1, "probe_interval": 5}}"#
            let faults = try await request("printer/add", wrong)
            #expect(faults["error"]?.objectValue?["path"] == "settings.a")
            let paths = faults["errors"]?.arrayValue?.map { $0.objectValue?["path"] }
            #expect(paths == ["settings.a", "settings.probe_interval"], "\(faults)")
            try await eventually("it is probed") { registry["x1"]?.stream.status == .healthy }
            #expect(try await request("printer/probe", #"{"printer": "x1"}"#)["status"] == "ok")
            #expect(try await request("printer/remove", #"{"printer": "x1"}"#)["status"] == "ok")
            #expect(registry.ids.isEmpty)
            for verb in ["printer/remove", "printer/probe"] {
                let answer = try await request(verb, #"{"id": "q", "printer": "x1"}"#)
                #expect(answer["error"]?.objectValue?["code"] == "not_found")
                #expect(answer["id"] == "q")
            }
        }
    }

    @Test func `A request that comes twice under one id is done once, and answered each time`() async throws {
        try await receiving {
            for _ in 0..<2 {
                let answer = try await request("printer/add", #"{"id": "q", "printer": "x1"}"#)
                #expect(answer["status"] == "ok" && answer["id"] == "q")
            }
            #expect(try await request("printer/add", #"{"id": "r", "printer": "x1"}"#)["status"] == "error")
        }
    }

    @Test func `The bridge's options are changed, read and refused by requests`() async throws {
        try await receiving {
            let changed = try await request("options", #"{"id": 1, "log_level": "debug"}"#)
            #expect(changed["data"] == ["log_level": "debug", "flat_topics": true])
            #expect(settings.logLevel == .debug)
            #expect(try await request("options", "")["data"] == changed["data"])
            let refused = try await request("options", #"{"log_levl": "info"}"#)
            #expect(refused["error"]?.objectValue?["path"] == "log_levl")
            #expect(refused["error"]?.objectValue?["message"]?.stringValue?.contains("log_level") == true)
            #expect(try await request("options", #"{"log_level": "loud"}"#)["status"] == "error")
            #expect(try await request("options", #"{"log_level": null}"#)["data"]?.objectValue?["log_level"] == .null)
        }
    }

    @Test(arguments: [MQTTProtocolVersion.v5, .v311])
    func `A retained request is refused, where the broker tells it, and its clearing is none`(
        version: MQTTProtocolVersion
    ) async throws {
        let asked = Recorder<Bool>()
        try await receiving(restart: BridgeRestart(check: {}, begin: { asked.add([true]) }), version: version) {
            let answer = try await request("restart", #"{"id": "kept"}"#, retain: true)
            // Before MQTT 5 the broker does not tell that it is retained.
            let isDone = version == .v311
            #expect(answer["error"]?.objectValue?["code"] == (isDone ? nil : "retained"))
            try await other.publish(message("", to: topics.request("restart"), retain: true))
            _ = try await request("health", "{}")
            #expect(asked.all == (isDone ? [true] : []))
            #expect(try await request("restart", #"{"id": "kept"}"#)["status"] == "ok")
            try await eventually("the restart begins, once") { asked.all == [true] }
        }
    }

    @Test func `What is asked after the last answer was sent is not done`() async throws {
        let late = Recorder<Outbox.Post>()
        try await receiving {
            #expect(try await request("printer/add", #"{"printer": "x1"}"#)["status"] == "ok")
            _ = context.outbox.close { late.add($0) }
            try await other.publish(message(#"{"printer": "x1"}"#, to: topics.request("printer/remove")))
            try await other.publish(message("{}", to: topics.configSet("x2")))
            try await eventually("a command is answered") {
                late.all.contains { $0.message.topic.name == topics.configResult("x2") }
            }
            #expect(!late.all.contains { $0.message.topic.name.hasPrefix("b/bridge/response/") })
            #expect(registry.ids == ["x1", "x2"])
        }
    }

    @Test func `A command for a name that no printer can have is answered there`() async throws {
        try await receiving {
            let message = MQTTMessage(topic: "b/X1C/config/set", payload: #"{"id": "7", "set": {}}"#)
            let answers = try await answers(to: message, on: "b/X1C/config/result")
            let result = try #require(answers.first { $0.topic == "b/X1C/config/result" }?.text)
            #expect(result.contains(#""status":"forbidden""#) && result.contains(#""id":"7""#), "\(result)")
            #expect(result.contains("invalid_id"))
        }
    }

    @Test func `A request or response topic that is too long or slow to compare is ignored`() async throws {
        let marks = String(repeating: "\u{301}\u{316}", count: 20)
        try await receiving {
            for verb in [String(repeating: "a", count: Topics.lengthLimit), "a\(marks)"] {
                try await other.publish(message(#"{"id": 1}"#, to: topics.request(verb)))
            }
            var message = try message(#"{"id": "q"}"#, to: topics.request("health"))
            message.properties.responseTopic = try MQTTTopic("mine/\(marks)")
            let answers = try await answers(to: message, on: topics.response("health"))
            #expect(answers.map(\.topic.name) == [topics.response("health")])
            message.properties.responseTopic = try MQTTTopic(topics.response("health"))
            #expect(try await self.answers(to: message, on: topics.response("health")).count == 1)
        }
    }

    @Test func `Of refused messages for a printer, each is answered, and five in a minute are events`() async throws {
        try await receiving {
            _ = await registry.add("x1", [:], at: "", source: .cli)
            for number in 0..<20 {
                try await other.publish(message(#"{"a\#(number)": 1}"#, to: topics.configSet("x1")))
            }
            var messages: [MQTTMessage] = []
            try await eventually("20 answers") {
                messages += context.outbox.take().map(\.message)
                return messages.count { $0.topic.name == topics.configResult("x1") } == 20
            }
            #expect(messages.count { $0.topic.name == topics.event("x1") } == 5)
            #expect(context.counters[.rejected] >= 20)
        }
    }

    @Test func `A request that is not known is told which are, and one that nobody could do is refused`() async throws {
        try await receiving {
            let restart = try await request("restart", "{}")
            #expect(restart["error"]?.objectValue?["code"] == "unavailable")
            let answer = try await request("printer/fly", #"{"id": "q"}"#)
            #expect(answer["id"] == "q")
            let error = try #require(answer["error"]?.objectValue)
            #expect(error["code"] == "unknown_verb")
            for verb in RequestVerb.allCases { #expect(error["message"]?.stringValue?.contains(verb.rawValue) == true) }
        }
    }

    @Test func `The answer to a patch also goes where the sender asked for it, with the sender's mark`() async throws {
        try await receiving {
            var message = try message(#"{"id": "q", "set": {"serial": "A"}}"#, to: topics.configSet("x1"))
            message.properties.responseTopic = "mine/answers"
            message.properties.correlationData = [1, 2, 3]
            let answers = try await answers(to: message, on: "mine/answers")
            let mine = try #require(answers.first { $0.topic.name == "mine/answers" })
            #expect(mine.properties.correlationData == [1, 2, 3])
            #expect(mine.payload == answers.first { $0.topic.name == topics.configResult("x1") }?.payload)
            #expect(mine.text.contains(#""status":"applied""#))
        }
    }

    @Test func `Empty messages get no answer`() async throws {
        try await receiving {
            try await other.publish(MQTTMessage(topic: "b/x1/config/set", payload: "", retain: true))
            try await other.publish(MQTTMessage(topic: "b/No Name/config/set", payload: "", retain: true))
            let answers = try await answers(
                to: message("{}", to: topics.configSet("x2")),
                on: topics.configResult("x2")
            )
            #expect(!answers.contains { $0.topic.name.hasPrefix("b/x1/") || $0.topic.name.contains("No Name") })
            #expect(registry.ids == ["x2"])
        }
    }
}
