import Foundation
import MQTT
import TestSupport
import Testing

/// The small numbers of every day; SOAK=1 takes the large ones.
private let isSoak = ProcessInfo.processInfo.environment["SOAK"] == "1"

@Suite(.timeLimit(.minutes(isSoak ? 30 : 1)))
struct `Sessions that outlive their connections` {
    private static let messages = isSoak ? 10_000 : 400
    private static let restarts = isSoak ? 50 : 4

    private func client(_ port: Int, _ id: String) -> RunningClient {
        RunningClient(
            .local(port, id) {
                $0.cleanStart = false
                $0.sessionExpiry = .seconds(600)
                $0.whenOffline = .wait
                $0.whenQueueFull = .suspend
                $0.reconnect = MQTTReconnectPolicy(minimum: .milliseconds(1), maximum: .milliseconds(20))
            }
        )
    }

    private var broker: MosquittoBroker.Options {
        var options = MosquittoBroker.Options()
        options.persistence = true
        // When mosquitto 2.0.11 starts again, it forgets the PUBREC of messages beyond this number and publishes them anew.
        options.lines = ["max_queued_messages 0", "max_inflight_messages 1000"]
        return options
    }

    @Test(arguments: [MQTTQoS.atLeastOnce, .exactlyOnce])
    func `Nothing is lost where connections break at any byte, and QoS 2 comes once`(qos: MQTTQoS) async throws {
        let broker = try await MosquittoBroker.start(broker)
        let proxy = try CuttingProxy(to: broker.port, after: 300..<6_000)
        let (sender, receiver) = (client(proxy.port, "sender"), client(proxy.port, "receiver"))
        let subscription = try await receiver.client.subscribe([.init("a", qos: qos)], buffer: .suspend(100))
        let sending = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<10 {
                    group.addTask {
                        for index in stride(from: lane, to: Self.messages, by: 10) {
                            try await sender.client.publish(.init(topic: "a", payload: "\(index)", qos: qos))
                        }
                    }
                }
                try await group.waitForAll()
                proxy.calm()
            }
        }
        var seen: [String: Int] = [:]
        for try await message in subscription {
            seen[message.text, default: 0] += 1
            if seen.count == Self.messages { break }
        }
        try await sending.value
        #expect(seen.count == Self.messages)
        #expect(proxy.cuts > 0)
        if qos == .exactlyOnce { #expect(seen.allSatisfy { $0.value == 1 }, "\(seen.filter { $0.value > 1 })") }
        for running in [sender, receiver] { await running.stop() }
        proxy.stop()
    }

    @Test func `Nothing is lost where the broker restarts, and QoS 2 comes once`() async throws {
        let broker = try await MosquittoBroker.start(broker)
        let (sender, receiver) = (client(broker.port, "sender"), client(broker.port, "receiver"))
        let subscription = try await receiver.client.subscribe([.init("a", qos: .exactlyOnce)], buffer: .suspend(1_000))
        let sending = Task {
            for index in 0..<Self.messages {
                try await sender.client.publish(.init(topic: "a", payload: "\(index)", qos: .exactlyOnce))
            }
        }
        let receiving = Task {
            var texts: [String] = []
            for try await message in subscription {
                texts.append(message.text)
                if texts.count == Self.messages { break }
            }
            return texts
        }
        for _ in 0..<Self.restarts {
            try await Task.sleep(for: .milliseconds(.random(in: 5...60)))
            await broker.stop()
            try await broker.start()
        }
        try await sending.value
        let texts = try await receiving.value
        let twice = Dictionary(grouping: texts, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
        #expect(twice == [])
        #expect(Set(texts).count == Self.messages)
        for running in [sender, receiver] { await running.stop() }
    }

    // mosquitto acknowledges before it saves: what it took after the last time is gone with it, and what was delivered
    // since then it delivers again. So the messages that count here are those of before.
    @Test func `Nothing is lost that a broker had saved when it was killed`() async throws {
        let broker = try await MosquittoBroker.start(broker)
        let (sender, receiver) = (client(broker.port, "sender"), client(broker.port, "receiver"))
        let subscription = try await receiver.client.subscribe([.init("a", qos: .exactlyOnce)], buffer: .suspend(1_000))
        let expected = Self.restarts * 20
        let receiving = Task {
            var seen: Set<String> = []
            for try await message in subscription where message.text != "late" {
                seen.insert(message.text)
                if seen.count == expected { break }
            }
            return seen.count
        }
        for round in 0..<Self.restarts {
            for index in 0..<20 {
                let message = MQTTMessage(topic: "a", payload: "\(round) \(index)", qos: .exactlyOnce)
                try await sender.client.publish(message)
            }
            broker.signal(SIGUSR1)
            try await eventually("it saves") { broker.log.contains("Saving in-memory database") }
            // Answered after it has saved; those that follow may be under way when it is killed.
            try await sender.client.publish(.init(topic: "a", payload: "late", qos: .exactlyOnce))
            let late = (0..<20).map { _ in
                Task { try await sender.client.publish(.init(topic: "a", payload: "late", qos: .exactlyOnce)) }
            }
            await broker.kill()
            try await broker.start()
            // Each is answered: by an acknowledgement, or by an error where the broker has lost the session with it.
            for publish in late { _ = await publish.result }
        }
        #expect(try await receiving.value == expected)
        for running in [sender, receiver] { await running.stop() }
    }
}
