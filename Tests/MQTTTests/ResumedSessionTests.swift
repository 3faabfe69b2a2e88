import Foundation
import MQTT
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `What a session holds for a client` {
    private func client(_ port: Int, _ change: (inout MQTTConfiguration) -> Void = { _ in }) async throws
        -> RunningClient
    {
        try await .connected(to: port, as: "mine") {
            $0.cleanStart = false
            $0.sessionExpiry = .seconds(600)
            change(&$0)
        }
    }

    @Test(arguments: [MQTTQoS.atLeastOnce, .exactlyOnce])
    func `What came while a program was away finds the next run, also if it subscribes late`(qos: MQTTQoS) async throws
    {
        let broker = try await MosquittoBroker.start()
        let first = try await client(broker.port)
        let before = try await first.client.subscribe([.init("a/+", qos: qos)])
        await first.stop()
        withExtendedLifetime(before) {}
        let other = try await RunningClient.connected(to: broker.port, as: "other")
        for text in ["1", "2", "3"] { try await other.client.publish(.init(topic: "a/b", payload: text, qos: qos)) }
        let second = try await client(broker.port)
        // A broker answers pings after it has sent what it holds: now it all is here.
        try await second.client.publish(.init(topic: "else", payload: ""))
        let subscription = try await second.client.subscribe([.init("a/+", qos: qos)])
        var texts: [String] = []
        for try await message in subscription {
            texts.append(message.text)
            #expect(message.qos == qos)
            if texts.count == 3 { break }
        }
        #expect(texts == ["1", "2", "3"])
        for running in [second, other] { await running.stop() }
    }

    @Test(arguments: [MQTTQoS.atMostOnce, .atLeastOnce, .exactlyOnce])
    func `Before MQTT 5 a message too large is left out, and neither the connection nor what follows suffers`(
        qos: MQTTQoS
    ) async throws {
        let broker = try await MosquittoBroker.start()
        let running = try await client(broker.port) {
            $0.protocolVersion = .v311
            $0.maximumPacketSize = 1_000
        }
        let other = try await RunningClient.connected(to: broker.port, as: "other")
        let subscription = try await running.client.subscribe([.init("a", qos: qos)])
        for size in [5_000, 3, 70_000, 4] {
            let payload = [UInt8](repeating: 0x78, count: size)
            try await other.client.publish(.init(topic: "a", payload: payload, qos: qos))
        }
        var sizes: [Int] = []
        for try await message in subscription {
            sizes.append(message.payload.count)
            if sizes.count == 2 { break }
        }
        #expect(sizes == [3, 4])
        // All four are answered, so that none comes again.
        let answer = qos == .exactlyOnce ? "Received PUBCOMP from mine" : "Received PUBACK from mine"
        try await eventually("every message is answered") {
            broker.log.components(separatedBy: answer).count - 1 == (qos == .atMostOnce ? 0 : 4)
        }
        for running in [running, other] { await running.stop() }
    }
}
