import Foundation
import MQTT
import TestSupport
import Testing

/// The small numbers of every day; SOAK=1 takes the large ones.
private let isSoak = ProcessInfo.processInfo.environment["SOAK"] == "1"

/// Over MQTT 3.1.1: a property of MQTT 5 that it does not know ends the process (libmosquitto up to 2.1.2), see the
/// library's documentation.
@Suite("A broker that sends noise", .endsAll, .timeLimit(.minutes(isSoak ? 20 : 1)))
struct FuzzedBrokerTests {
    private static let rounds = isSoak ? 5_000 : 150

    @Test func `Noise of a broker costs a connection each time and nothing else`() async throws {
        let broker = try ScriptedBroker { peer, connection in
            try peer.receive(type: 1)
            var generator = SeededGenerator(seed: UInt64(connection))
            var bytes: [UInt8] = [0x20, 2, 0, 0]
            for _ in 0..<20 {
                var packet = Self.packets.randomElement(using: &generator) ?? []
                for _ in 0..<Int.random(in: 0...2, using: &generator) {
                    let index = Int.random(in: 0..<packet.count, using: &generator)
                    packet[index] = UInt8.random(in: 0...255, using: &generator)
                }
                bytes += packet
            }
            try peer.send(bytes)
        }
        let before = try Self.openDescriptors()
        let running = try RunningClient(
            .local(broker.port, "one") {
                $0.protocolVersion = .v311
                $0.reconnectLimit = .milliseconds(10)
                $0.maximumPacketSize = 4_096
            }
        )
        try await eventually("many connections", timeout: .seconds(isSoak ? 600 : 50)) {
            broker.connections >= Self.rounds
        }
        await running.stop()
        broker.stop()
        try await eventually("no descriptor is left") { try Self.openDescriptors() <= before + 8 }
    }

    private static func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private static let packets: [[UInt8]] = [
        Packet.publish("a/b", "payload"), Packet.publish("a/b", "payload", qos: 1), Packet.publish("a", "x", qos: 2),
        Packet.publish([0x61], properties: [0x01, 1, 0x03, 0, 1, 0x61, 0x26, 0, 1, 0x61, 0, 1, 0x62, 0x0b, 1]),
        Packet.answer(4, 1), Packet.answer(5, 2), Packet.answer(6, 1), Packet.answer(7, 1), Packet.suback(1, [0]),
        Packet.make(0xb0, [0, 1, 0, 0]), [0xd0, 0], Packet.connack(), Packet.disconnect(0x8b),
        Packet.make(0xf0, [0, 0]),
    ]
}

@Suite("A broker that sends more than was agreed", .endsAll, .timeLimit(.minutes(5)))
struct BrokerSendsTests {
    @Test func `When a broker sends more than agreed, a slow subscription drops the excess messages`() async throws {
        let message = Packet.publish(Array("a".utf8), [UInt8](repeating: 1, count: 1_000))
        let flood = Array([[UInt8]](repeating: message, count: 1_000).joined())
        let broker = try ScriptedBroker { peer, _ in
            try peer.acceptSubscription()
            for _ in 0..<50 { try peer.send(flood) }
            for number in 1...3 { try peer.send(Packet.publish("a", "\(number)")) }
            try peer.drain()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one")
        let subscription = try await running.client.subscribe([.init("a")], buffer: .newest(100))
        try await eventually("all of it came") { subscription.dropped == 50_003 - 100 }
        #expect(try await subscription.take(100).suffix(3).map(\.text) == ["1", "2", "3"])
    }
}
