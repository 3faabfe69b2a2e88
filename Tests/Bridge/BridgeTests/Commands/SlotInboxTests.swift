import MQTT
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

@Suite(.timeLimit(.minutes(5))) struct SlotInboxTests {
    private let ownership = PrinterOwnership(group: "f", member: "a")
    private let store = InMemorySettingsStore()
    private let registry: PrinterRegistry
    private let context: BridgeContext

    init() {
        registry = PrinterRegistry(over: store)
        context = BridgeContext(topics: Topics(base: "b"), registry: registry, logger: .quiet)
    }

    /// Reads the session of a slot until it is lost, or `body` returns.
    private func reading(
        _ slot: PrinterSlot,
        _ broker: MosquittoBroker,
        replayed: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        var configuration = MQTTConfiguration.local(broker.port, "slot")
        (configuration.cleanStart, configuration.sessionExpiry) = (false, .seconds(60))
        let client = try MQTTClient(configuration: configuration, logger: .quiet)
        let inbox = try ConfigInbox(
            context,
            client: client,
            slot: slot,
            store: store,
            scope: ownership.scope(of: slot, context.topics),
            replayed: { _ in replayed() }
        )
        try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { try await client.run() }
            group.addTask { try await inbox.run() }
            group.addTask { try await body() }
            try await group.next()
        }
    }

    @Test func `A command for a lost slot is left to the next owner without answer or acknowledgement`() async throws {
        let broker = try await MosquittoBroker.start()
        let (mine, other): (PrinterID, PrinterID) = ("mine", "other")
        let slot = PrinterSlot(of: mine)
        try #require(slot != PrinterSlot(of: other))
        ownership.insert([slot])
        ownership.setDeadline(.now + .seconds(60))
        let isReading = LockedValue(false)
        await #expect(throws: SlotLost.self) {
            try await reading(slot, broker, replayed: { isReading.value = true }) {
                try await eventually("commands are read") { isReading.value }
                ownership.setDeadline(.now)
                // Not cancelled with the first message.
                try await Task {
                    try await MQTTClient.withConnection(.local(broker.port, "other")) { client in
                        for id in [other, mine] {
                            let topic = try MQTTTopic("b/\(id)/config/set")
                            let message = MQTTMessage(topic: topic, payload: #"{"id":"1","set":{"name":"X"}}"#)
                            try await client.publish(message)
                        }
                    }
                }.value
                try await Task.sleep(for: .seconds(30))
            }
        }
        #expect(context.outbox.take().isEmpty)
        #expect(try store.scopes(prefix: "printer/").isEmpty)
        ownership.setDeadline(.now + .seconds(60))
        try await reading(slot, broker) {
            try await eventually("it is applied") { registry[mine]?.committed.values["name"] == "X" }
        }
        #expect(registry[other] == nil, "the other slot's")
    }

    @Test func `A session whose reader fails ends, and can be tried again`() async throws {
        let broker = try await MosquittoBroker.start()
        let client = try MQTTClient(configuration: .local(broker.port, "slot"), logger: .quiet)
        await #expect(throws: SettingsError.self) {
            try await client.run { throw SettingsError(.unavailable, "etcd did not answer") }
        }
    }

    @Test(arguments: [
        ("printer/probe", #"{"printer": "mine"}"#, "mine"),
        ("printer/add", #"{"printer": "new"}"#, "new"),
        ("health", "", nil),
        ("options", #"{"printer": "mine"}"#, nil),
        ("printer/probe", "x", nil),
        ("printer/probe", #"{"printer": "a b"}"#, nil),
    ])
    func `A request about a printer is of the printer's slot, and everything else of the leader`(
        verb: String,
        payload: String,
        printer: PrinterID?
    ) throws {
        let message = try MQTTMessage(topic: MQTTTopic(context.topics.request(verb)), payload: payload)
        ownership.setDeadline(.now + .seconds(60))
        let slots = PrinterSlot.all.filter { ownership.scope(of: $0, context.topics).contains(message) }
        #expect(slots == (printer.map { [PrinterSlot(of: $0)] } ?? []))
        let leader = ownership.leaderScope(context.topics)
        #expect(!leader.contains(message))
        ownership.setLeader(true)
        #expect(leader.contains(message) == (printer == nil))
    }
}
