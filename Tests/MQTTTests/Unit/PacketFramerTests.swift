import Testing

@testable import MQTT

@Suite
struct `Packets are cut out of a stream` {
    private let stream = Packet.connack() + Packet.publish("a", "one") + [0xd0, 0] + Packet.publish("b", "two", qos: 1)

    private func cut(_ chunks: [[UInt8]], limit: Int = 1_000, refusing type: UInt8? = nil) throws -> [[UInt8]] {
        var framer = PacketFramer(limit: limit)
        var runs: [[UInt8]] = []
        for chunk in chunks {
            try chunk.withUnsafeBytes { bytes in
                try framer.append(
                    bytes,
                    inspect: { packet, _ in packet[0] >> 4 == type ? .drop : .pass },
                    forward: { runs.append(Array($0)) }
                )
            }
        }
        return runs
    }

    @Test func `What comes at once goes on at once`() throws {
        #expect(try cut([stream]) == [stream])
    }

    @Test func `However it is split, the packets are the same`() throws {
        for size in 1...stream.count {
            let chunks = stride(from: 0, to: stream.count, by: size).map {
                Array(stream[$0..<min($0 + size, stream.count)])
            }
            #expect(try cut(chunks).flatMap { $0 } == stream)
        }
    }

    @Test func `A packet that does not pass is left out, its neighbours are not`() throws {
        let runs = try cut([stream], refusing: 13)
        #expect(runs == [Packet.connack() + Packet.publish("a", "one"), Packet.publish("b", "two", qos: 1)])
    }

    @Test func `A packet larger than the limit is known by its header`() throws {
        let packet = Packet.publish("a", "sixsix")
        let header = Array(packet[..<2])
        #expect(try cut([header], limit: packet.count).isEmpty)
        let violation = #expect(throws: ProtocolViolation.self) { try cut([header], limit: packet.count - 1) }
        #expect(violation?.reason == .packetTooLarge)
    }

    @Test func `A message too large can be left out, however it is split, and its neighbours are not`() throws {
        let large = Packet.publish("topic", String(repeating: "x", count: 300), qos: 1)
        let stream = Packet.publish("a", "one") + large + [0xd0, 0]
        for size in 1...stream.count {
            var framer = PacketFramer(limit: 100, leavesOutMessages: true)
            var seen: [UInt8] = []
            var leftOut: [[UInt8]] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                try Array(stream[start..<min(start + size, stream.count)]).withUnsafeBytes { bytes in
                    try framer.append(
                        bytes,
                        leaveOut: { beginning, _ in leftOut.append(Array(beginning)) },
                        inspect: { _, _ in .pass },
                        forward: { seen += $0 }
                    )
                }
            }
            #expect(seen == Packet.publish("a", "one") + [0xd0, 0])
            #expect(leftOut == [Array(large[..<12])])
            #expect(framer.partialCount == 0)
        }
    }

    @Test func `What came before a packet that is too large is not lost`() {
        var framer = PacketFramer(limit: 20)
        var seen: [UInt8] = []
        let chunk = Packet.publish("a", "x") + [0x30, 0xff, 0x01]
        #expect(throws: ProtocolViolation.self) {
            try chunk.withUnsafeBytes { bytes in
                try framer.append(bytes, inspect: { _, _ in .pass }, forward: { seen += $0 })
            }
        }
        #expect(seen == Packet.publish("a", "x"))
    }
}
