import Foundation
import MQTT
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@Suite("Ends, wills and cancellation", .endsAll, .timeLimit(.minutes(5)))
struct ShutdownTests {
    private let broker: MosquittoBroker

    init() async throws { broker = try await MosquittoBroker.start() }

    /// Somebody who hears everything.
    private func watch() async throws -> (watcher: RunningClient, heard: MQTTSubscription) {
        let watcher = try await RunningClient.connected(to: broker.port, as: "watcher")
        return (watcher, try await watcher.client.subscribe([.init("#")]))
    }

    private func withWill(_ version: MQTTProtocolVersion) -> MQTTConfiguration {
        .local(broker.port, "one") {
            $0.protocolVersion = version
            $0.will = MQTTWill(message: .init(topic: "will", payload: "gone"))
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases, [false, true])
    func `The will is published when a run is cancelled, and not when it is shut down`(
        version: MQTTProtocolVersion,
        isCancelled: Bool
    ) async throws {
        let (watcher, wills) = try await watch()
        let configuration = withWill(version)
        if isCancelled {
            let running = try RunningClient(configuration)
            try await running.session()
            await running.stop()
        } else {
            try await MQTTClient.withConnection(configuration) { _ in }
        }
        try await eventually("the client is gone") { broker.log.contains("Client one ") }
        try await watcher.client.publish(.init(topic: "end", payload: "end"))
        let expected = isCancelled ? ["gone", "end"] : ["end"]
        #expect(try await wills.take(expected.count).map(\.text) == expected)
    }

    @Test func `A will with a delay is not published when the client is back in time`() async throws {
        let (watcher, wills) = try await watch()
        let change: (inout MQTTConfiguration) -> Void = {
            $0.sessionExpiry = .seconds(60)
            $0.cleanStart = false
            $0.will = MQTTWill(message: .init(topic: "will", payload: "gone", retain: true), delay: .seconds(6))
        }
        try await RunningClient.connected(to: broker.port, as: "one", change).stop()
        let back = try await RunningClient.connected(to: broker.port, as: "one", change)
        try await Task.sleep(for: .seconds(7))
        try await watcher.client.publish(.init(topic: "mark", payload: "mark"))
        await back.stop()
        #expect(try await wills.take(2).map(\.text) == ["mark", "gone"])
    }

    @Test func `A graceful shutdown settles what is in flight`() async throws {
        let (running, group) = try await RunningClient.inGroup(.local(broker.port, "one"))
        let client = running.client
        let publishes = (0..<300).map { index in
            Task { try await client.publish(.init(topic: "n", payload: "\(index)", qos: .exactlyOnce)) }
        }
        await group.triggerGracefulShutdown()
        try await running.task.value
        var settled = 0
        for publish in publishes {
            switch await publish.result {
            case .success: settled += 1
            case .failure(let error):
                // The last one: in flight when the grace was over.
                #expect([.shutDown, .notConnected, .connectionLost].contains((error as? MQTTError)?.code))
            }
        }
        try await eventually("DISCONNECT") { broker.log.contains("Received DISCONNECT from one") }
        #expect(await errorCode { try await client.publish(.init(topic: "n", payload: "x")) } == .shutDown)
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func `A graceful shutdown with unsent messages leaves the will`(version: MQTTProtocolVersion) async throws {
        let watcher = try await RunningClient.connected(to: broker.port, as: "watcher")
        let wills = try await watcher.client.subscribe([.init("will")])
        try await MQTTClient.withConnection(withWill(version)) { client in
            broker.signal(SIGSTOP)
            client.publish([.init(topic: "n", payload: "x")]) { _ in }
        }
        broker.signal(SIGCONT)
        #expect(try await wills.take(1).map(\.text) == ["gone"])
    }

    @Test(arguments: [false, true])
    func `A broker that is stuck does not hold the end up`(graceful: Bool) async throws {
        let (running, group) = try await RunningClient.inGroup(.local(broker.port, "one"))
        let client = running.client
        let subscription = try await client.subscribe([.init("#")])
        broker.signal(SIGSTOP)
        let publish = Task { try await client.publish(.init(topic: "n", payload: "x")) }
        try await Task.sleep(for: .milliseconds(50))
        let start = ContinuousClock.now
        if graceful { await group.triggerGracefulShutdown() } else { running.task.cancel() }
        _ = await running.task.result
        #expect(ContinuousClock.now - start < .seconds(20))
        let error = await #expect(throws: MQTTError.self) { try await publish.value }
        // The second, if the publish came only after the end had begun.
        #expect([.connectionLost, .shutDown].contains(error?.code))
        #expect(try await subscription.take().isEmpty)
        broker.signal(SIGCONT)
    }

    @Test func `A run that is cancelled throws CancellationError and a second run works`() async throws {
        let client = try MQTTClient(configuration: .local(broker.port, "one"), logger: .silent)
        for _ in 0..<2 {
            let run = Task { try await client.run() }
            try await eventually("connected") {
                (try? await client.publish(.init(topic: "a", payload: "x"))) != nil
            }
            #expect(await errorCode { try await client.run() } == .invalidConfiguration)
            run.cancel()
            await #expect(throws: CancellationError.self) { try await run.value }
        }
    }

    @Test func `The queue is bounded, and who waits in it can leave`() async throws {
        let running = try await RunningClient.connected(to: broker.port, as: "one") {
            $0.maximumInFlight = 1
            $0.outgoingQueueLimit = 2
        }
        let client = running.client
        broker.signal(SIGSTOP)
        // On one thread, so that they are called in this order.
        let publishes = (0..<4).map { index in
            Task(executorPreference: client.executor) {
                try await client.publish(.init(topic: "n", payload: "\(index)"))
            }
        }
        #expect(await errorCode { try await publishes[3].value } == .queueFull)
        for publish in publishes.prefix(2) {
            publish.cancel()
            await #expect(throws: CancellationError.self) { try await publish.value }
        }
        broker.signal(SIGCONT)
        #expect(try await publishes[2].value.reason == .noMatchingSubscribers)
    }

    @Test func `One of two who wait for a subscription can be cancelled alone`() async throws {
        let mayAnswer = Mutex(false)
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            let answer = Packet.suback(Packet.identifier(of: try peer.receive(type: 8)), [0])
            while !mayAnswer.withLock({ $0 }) { usleep(5_000) }
            try peer.send(answer)
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let subscription = running.client.subscription(to: [.init("a")])
        let waiting = (0..<2).map { _ in Task { try await subscription.confirmed() } }
        try await Task.sleep(for: .milliseconds(50))
        waiting[0].cancel()
        await #expect(throws: CancellationError.self) { try await waiting[0].value }
        mayAnswer.withLock { $0 = true }
        try await waiting[1].value
    }

    @Test func `A publish that is cancelled while it is handed over ends, whichever is first`() async throws {
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let client = running.client
        for attempt in 0..<1_000 {
            let publish = Task { try await client.publish(.init(topic: "a", payload: "x")) }
            let start = ContinuousClock.now
            while ContinuousClock.now - start < .microseconds(attempt % 50) {}
            publish.cancel()
            do { _ = try await publish.value } catch { #expect(error is CancellationError) }
        }
    }

    @Test func `A reader that is cancelled leaves and the subscription stays`() async throws {
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let subscription = try await running.client.subscribe([.init("a")])
        let reader = Task { try await subscription.first { _ in true } }
        try await Task.sleep(for: .milliseconds(30))
        reader.cancel()
        #expect(try await reader.value == nil)
        try await running.client.publish(.init(topic: "a", payload: "x"))
        #expect(try await subscription.take().map(\.text) == ["x"])
    }

    @Test(
        arguments: [
            { (configuration: inout MQTTConfiguration) in configuration.keepAlive = .seconds(3) },
            { $0.endpoint = .tcp(host: "", port: 1_883) },
            { $0.endpoint = .tcp(host: "x", port: 0) },
            { $0.endpoint = .tcp(host: "x", port: 70_000) },
            { $0.endpoint = .unixSocket(path: String(repeating: "x", count: 108)) },
            { $0.maximumInFlight = 0 },
            { $0.clientID = "a\u{0}b" },
            { $0.will = MQTTWill(message: .init(topic: "a", payload: [UInt8](repeating: 0, count: 65_536))) },
            {
                $0.cleanStart = false; $0.clientID = ""
            },
            { $0.clientID = String(repeating: "x", count: 65_536) },
        ] as [@Sendable (inout MQTTConfiguration) -> Void]
    )
    func `A configuration that cannot work is refused at the start`(
        change: @Sendable (inout MQTTConfiguration) -> Void
    ) async throws {
        let running = try RunningClient(.local(1_883, "one", change))
        #expect(await errorCode { try await running.task.value } == .invalidConfiguration)
    }

    @Test func `What waits for a run that is refused at its start ends with it`() async throws {
        let client = try MQTTClient(configuration: .local(1_883, "one") { $0.maximumInFlight = 0 }, logger: .silent)
        let before = Task { try await client.subscribe([.init("a")]) }
        _ = await #expect(throws: MQTTError.self) { try await client.run() }
        #expect(await errorCode { try await client.subscribe([.init("b")]) } == .shutDown)
        #expect(await errorCode { try await before.value } == .shutDown)
    }
}
