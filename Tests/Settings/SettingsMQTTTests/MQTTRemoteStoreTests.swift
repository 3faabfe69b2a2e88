import Foundation
import Logging
import MQTT
import StoredSettings
import TestSupport
import Testing

@testable import SettingsMQTT

@ObservableSettings private final class Player {
    @Synced var volume = 60
    @Synced(onInitialSync: .cachedValue) var theme = "system"
    @Secret @Synced var token = ""
    var here = 0
}

private func client(_ port: Int, _ version: MQTTProtocolVersion = .v5) throws -> MQTTClient {
    var options = MQTTConfiguration(endpoint: .tcp(host: "127.0.0.1", port: port), clientID: UUID().uuidString)
    options.protocolVersion = version
    return try MQTTClient(configuration: options, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
}

/// A program with a store, a connection and a model of its own.
private final class Program {
    let player: Player
    let remote: MQTTRemoteStore
    private let running: Task<Void, any Error>

    init(_ port: Int, _ version: MQTTProtocolVersion = .v5, sendsSecrets: Bool = false) throws {
        let client = try client(port, version)
        running = Task { try await client.run() }
        remote = try MQTTRemoteStore(client, prefix: "home", sendsSecrets: sendsSecrets)
        player = Player(store: InMemorySettingsStore())
        var options = SyncOptions()
        options.firstRetry = .milliseconds(50)
        player.storage.synchronize(with: remote, options: options)
    }

    /// Waits for the connection, and until both sides agree.
    func synced() async throws {
        try await eventually("the agreement with the broker") { (try? await player.waitUntilSynced()) != nil }
    }

    deinit { running.cancel() }
}

@Suite("Settings over retained messages", .timeLimit(.minutes(5)))
struct MQTTRemoteStoreTests {
    private func retained(_ broker: MosquittoBroker, _ topic: String) async -> String? {
        let arguments = ["-p", "\(broker.port)", "-t", topic, "-C", "1", "-W", "5", "--retained-only"]
        return try? await ChildProcess.run("mosquitto_sub", arguments).trimmingCharacters(in: .newlines)
    }

    @Test func `Two programs keep one setting in step, each with a store of its own`() async throws {
        let broker = try await MosquittoBroker.start()
        let one = try Program(broker.port)
        one.player.volume = 80
        one.player.here = 7
        try await one.synced()
        #expect(await retained(broker, "home/SettingsMQTTTests.Player/Player.volume") == "80")
        await #expect(processExitsWith: .success) { [port = broker.port as Int] in
            let two = try Program(port)
            try await eventually("the other program's value") { two.player.volume == 80 }
            try #require(two.player.here == 0)
            two.player.volume = 30
            two.player.theme = "dark"
            try await two.synced()
        }
        try await eventually("the child's values") { one.player.volume == 30 && one.player.theme == "dark" }
        #expect(one.player.here == 7)
        try await broker.publish("31", to: "home/SettingsMQTTTests.Player/Player.volume")
        try await broker.publish("light", to: "home/SettingsMQTTTests.Player/Player.theme", retain: true)
        try await eventually("a text that is no JSON") { one.player.theme == "light" }
        #expect(one.player.volume == 30, "the broker does not keep a message that is not retained")
        try await broker.publish("", to: "home/SettingsMQTTTests.Player/Player.volume", retain: true)
        try await eventually("the default") { !one.player.isSet(\.volume) && one.player.volume == 60 }
        withExtendedLifetime(broker) {}
    }

    @Test(arguments: [(true, .v5), (false, .v311)] as [(Bool, MQTTProtocolVersion)])
    func `After an outage the broker gets the new values, and the values that it has lost`(
        remembers: Bool,
        version: MQTTProtocolVersion
    ) async throws {
        let broker = try await MosquittoBroker.start { $0.persistence = remembers }
        let one = try Program(broker.port, version)
        one.player.volume = 4
        one.player.theme = "dark"
        try await one.synced()
        await broker.stop()
        try await eventually("the loss") { one.player.syncError != nil }
        one.player.volume = 5
        try await broker.start()
        try await one.synced()
        #expect(one.player.volume == 5 && one.player.theme == "dark")
        #expect(await retained(broker, "home/SettingsMQTTTests.Player/Player.volume") == "5")
        #expect(await retained(broker, "home/SettingsMQTTTests.Player/Player.theme") == #""dark""#)
    }

    @Test func `Waiting at the start waits for the connection, and fails where there is no broker`() async throws {
        let broker = try await MosquittoBroker.start()
        let one = try Program(broker.port)
        try await one.player.waitUntilSynced()
        await broker.stop()
        let two = try Program(broker.port)
        await #expect(throws: SyncError.self) { try await two.player.waitUntilSynced() }
    }

    @Test(arguments: ["", "+", "a/#"])
    func `A prefix that is no topic is refused`(prefix: String) {
        #expect(throws: MQTTError.self) { try MQTTRemoteStore(client(1), prefix: prefix) }
    }

    @Test func `A secret is not published unless it is allowed, and the setting says so`() async throws {
        let broker = try await MosquittoBroker.start()
        let one = try Program(broker.port)
        one.player.token = "canary-8"
        one.player.volume = 9
        try await eventually("the refusal") { one.player.syncError(of: \.token)?.code == .notPermitted }
        try await eventually("the other setting") {
            await retained(broker, "home/SettingsMQTTTests.Player/Player.volume") == "9"
        }
        #expect(await retained(broker, "home/SettingsMQTTTests.Player/Player.token") == nil)
        let two = try Program(broker.port, sendsSecrets: true)
        two.player.token = "canary-9"
        try await eventually("the secret") {
            await retained(broker, "home/SettingsMQTTTests.Player/Player.token") == #""canary-9""#
        }
    }

    @Test(arguments: ["topic readwrite home/.sync/#\n", ""])
    func `Without the right to write there is an error, and the local value stays`(marks: String) async throws {
        let broker = try await MosquittoBroker.start { $0.acl = "topic read home/#\n" + marks }
        let one = try Program(broker.port)
        one.player.volume = 9
        try await eventually("the refusal") { (one.player.syncError as? SyncError)?.code == .notPermitted }
        #expect(one.player.volume == 9)
    }

    @Test(arguments: ["a/b", "a+b#c%d$e", "é\u{1}", "%2B"])
    func `Every key has a topic, and every topic its key`(key: String) throws {
        let topic = TopicName.of(key)
        _ = try MQTTTopic(topic)
        #expect(TopicName.key(of: topic) == key)
    }

    @Test(arguments: ["%50layer.theme", "Player%2Etheme", "%2b", "%", "\u{301}a%41"])
    func `Another spelling of a topic is no setting's`(topic: String) {
        #expect(TopicName.key(of: topic) == nil)
    }
}
