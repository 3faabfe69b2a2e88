import Testing

@testable import CameraProtocols

@Suite("Packets and start codes")
struct PacketTests {
    @Test(
        arguments: [
            ([], [[]]), ([0, 0, 1], [[], []]), ([1, 2], [[1, 2]]), ([7, 0, 0, 0, 0, 1, 8, 0, 1], [[7], [8, 0, 1]]),
            ([0, 0, 0, 1, 7, 0, 0, 1, 0, 0, 1, 0], [[], [7], [], [0]]),
            ([7, 0, 0, 3, 1, 0, 0], [[7, 0, 0, 3, 1, 0, 0]]), ([5, 0, 0, 1, 2], [[5], [2]]),
            ([1, 5, 0, 0, 1, 2], [[1, 5], [2]]), ([1, 0, 5, 0, 0, 1, 2], [[1, 0, 5], [2]]),
            ([0, 1, 5, 5, 0, 0, 1], [[0, 1, 5, 5], []]),
        ] as [([UInt8], [[UInt8]])]
    )
    func `Start codes part the bytes`(_ bytes: [UInt8], _ pieces: [[UInt8]]) {
        #expect(AnnexB.split(([9] + bytes).dropFirst()).map(Array.init) == pieces)
    }

    @Test func `RTCP, other versions and cut packets are not video`() {
        var rtcp = Streams.packet(1, at: 0, [0x65, 0x88])
        rtcp[1] = 200
        var old = Streams.packet(1, at: 0, [0x65, 0x88])
        old[0] = 0x40
        for bytes in [rtcp, old, [], [0x80], Array(Streams.packet(1, at: 0, []).prefix(11))] {
            #expect(RTPPacket(bytes) == nil)
        }
    }

    @Test func `Padding, extension and contributors are not payload`() throws {
        let bytes: [UInt8] =
            [0xb1, 96, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 9] + [0, 0, 0, 1, 7, 7, 7, 7] + [65, 66] + [0, 2]
        let packet = try #require(RTPPacket(bytes))
        #expect(Array(packet.payload) == [65, 66])
        for count in 0..<bytes.count - 2 { #expect(RTPPacket(Array(bytes.prefix(count)))?.payload.count ?? 0 <= 2) }
    }
}
