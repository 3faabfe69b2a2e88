import Foundation
import Logging
import MQTT
import ServiceLifecycle
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The private broker` {
    let state: TemporaryDirectory

    init() throws { state = try TemporaryDirectory() }

    private func broker(port: Int? = nil, program: String? = nil) throws -> EmbeddedBroker {
        EmbeddedBroker(
            stateDirectory: state.file("broker"),
            preferredPort: try port ?? freePort(),
            program: program,
            logger: .silent
        )
    }

    /// The process identifiers of shell and broker.
    private func processes() throws -> [Int32] {
        let text = try String(contentsOf: state.file("broker/mosquitto.pids"), encoding: .utf8)
        return text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    }

    private func isAlive(_ pid: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
        return !stat.contains(") Z ")
    }

    @Test func `It listens on the preferred port and takes messages`() async throws {
        let port = try freePort()
        let broker = try broker(port: port)
        let address = try await broker.start()
        #expect(address.port == port)
        #expect(address.host == "127.0.0.1")
        let running = try await RunningClient.connected(to: port, as: "one")
        try await running.client.publish(.init(topic: "a", payload: "x"))
        await running.stop()
    }

    @Test func `It drops nothing that it has acknowledged, however long a reader takes`() async throws {
        let broker = try broker()
        let port = try await broker.start().port
        let reader = RunningClient(.local(port, "reader"))
        let subscription = try await reader.client.subscribe([.init("a")], buffer: .acknowledgedByReader)
        let sender = try await RunningClient.connected(to: port, as: "sender") { $0.outgoingQueueLimit = 3_000 }
        await withCheckedContinuation { waiter in
            sender.client.publish(Array(repeating: .init(topic: "a", payload: "x"), count: 3_000)) { _ in
                waiter.resume()
            }
        }
        var count = 0
        while count < 3_000 { count += try #require(try await subscription.nextBatch()).count }
        #expect(count == 3_000)
        for running in [reader, sender] { await running.stop() }
    }

    @Test func `It starts anew beside a state that is damaged`() async throws {
        let broker = try broker()
        try FileManager.default.createDirectory(at: state.file("broker"), withIntermediateDirectories: true)
        try Data(count: 300).write(to: state.file("broker/mosquitto.db"))
        let port = try await broker.start().port
        try await RunningClient.connected(to: port, as: "one").stop()
        #expect(try Data(contentsOf: state.file("broker/mosquitto.db.damaged")) == Data(count: 300))
    }

    @Test func `It takes another port when the preferred one is taken`() async throws {
        let other = try SilentServer(.silent)
        let broker = try broker(port: other.port)
        let address = try await broker.start()
        #expect(address.port != other.port)
        try await RunningClient.connected(to: address.port, as: "one").stop()
        other.stop()
    }

    @Test func `It is started again on the same port when it dies`() async throws {
        let broker = try broker()
        let port = try await broker.start().port
        let run = Task { try await broker.run() }
        let running = try await RunningClient.connected(to: port, as: "one")
        for _ in 0..<2 {
            kill(try processes()[1], SIGKILL)
            try await running.disconnected()
            try await running.session()
        }
        await running.stop()
        run.cancel()
        _ = await run.result
    }

    @Test func `It keeps retained messages from one run to the next`() async throws {
        let port = try freePort()
        for round in 0..<2 {
            let broker = try broker(port: port)
            try await broker.start()
            let run = Task { try await broker.run() }
            let running = try await RunningClient.connected(to: port, as: "one")
            if round == 0 {
                try await running.client.publish(.init(topic: "kept", payload: "still here", retain: true))
            } else {
                let subscription = try await running.client.subscribe([.init("kept")])
                #expect(try await subscription.take().map(\.text) == ["still here"])
            }
            await running.stop()
            let pids = try processes()
            run.cancel()
            _ = await run.result
            #expect(pids.count == 2)
            #expect(!pids.contains(where: isAlive))
        }
    }

    @Test func `It ends with a graceful shutdown of its group`() async throws {
        let broker = try broker()
        try await broker.start()
        let pids = try processes()
        let group = ServiceGroup(configuration: .init(services: [.init(service: broker)], logger: .silent))
        let run = Task { try await group.run() }
        try await eventually("running") { pids.allSatisfy(isAlive) }
        await group.triggerGracefulShutdown()
        try await run.value
        #expect(!pids.contains(where: isAlive))
    }

    @Test func `It ends when its owner is gone and nobody could tell it`() async throws {
        // What remains of a killed owner is a pipe that closes; dropping the object does just that.
        var broker: EmbeddedBroker? = try broker()
        try await broker?.start()
        let pids = try processes()
        #expect(pids.allSatisfy(isAlive))
        broker = nil
        try await eventually("no process is left") { !pids.contains(where: isAlive) }
    }

    @Test func `A broker whose shell was killed does not block the next start`() async throws {
        let port = try freePort()
        let first = try broker(port: port)
        try await first.start()
        let pids = try processes()
        kill(pids[0], SIGKILL)
        try await eventually("the shell is gone") { !isAlive(pids[0]) }
        #expect(isAlive(pids[1]))
        let second = try broker(port: port)
        #expect(try await second.start().port == port)
        #expect(!isAlive(pids[1]))
    }

    @Test func `Two brokers do not share a state directory`() async throws {
        let first = try broker()
        try await first.start()
        let second = try broker()
        let error = await #expect(throws: MQTTError.self) { try await second.start() }
        #expect(error?.code == .brokerUnavailable)
        #expect(error?.message.contains("state directory") == true)
        #expect(try processes().allSatisfy(isAlive))
    }

    @Test func `A missing program is named with the package to install`() async throws {
        let broker = try broker(program: "/nowhere/mosquitto")
        let error = await #expect(throws: MQTTError.self) { try await broker.start() }
        #expect(error?.code == .brokerUnavailable)
        #expect(error?.message.contains("apt-get install mosquitto") == true)
    }

    @Test func `A program that ends at once is an error and not waited for`() async throws {
        let broker = try broker(program: "/bin/false")
        let error = await #expect(throws: MQTTError.self) { try await broker.start() }
        #expect(error?.code == .brokerUnavailable)
        #expect(error?.message.contains("ended at once") == true)
    }
}
