import Testing

@testable import Relay

@Suite("The packets since the last key frame")
struct GroupOfPicturesTests {
    private typealias Seen = Packets.Seen

    private func key(_ number: UInt16, _ time: UInt32 = 0, isLast: Bool = true) -> MediaPacket? {
        Packets.packet(number, at: time, Packets.keyPicture, isLast: isLast)
    }

    private func slice(_ number: UInt16, _ time: UInt32 = 0, isLast: Bool = true) -> MediaPacket? {
        Packets.packet(number, at: time, Packets.keySlice, isLast: isLast)
    }

    private func sets(_ number: UInt16, _ time: UInt32 = 0) -> MediaPacket? {
        Packets.packet(number, at: time, Packets.parameters, isLast: false)
    }

    private func other(_ number: UInt16, _ time: UInt32, isLast: Bool = true) -> MediaPacket? {
        Packets.packet(number, at: time, Packets.picture, isLast: isLast)
    }

    private func group(_ packets: MediaPacket?...) -> GroupOfPictures {
        packets.reduce(into: GroupOfPictures()) { group, packet in packet.map { group.append($0) } }
    }

    @Test func `A newcomer gets the key frame twice and all pictures ten ticks apart, the last on time`() {
        let group = group(
            other(9, 0),
            sets(10, 3_000),
            key(11, 3_000, isLast: false),
            slice(12, 3_000),
            other(13, 6_000),
            other(14, 9_000)
        )
        #expect(
            Packets.read(group.burst(repeatsKeyFrame: true)) == [
                Seen(7, 8_970, Packets.parameters), Seen(8, 8_970, Packets.keyPicture),
                Seen(9, 8_970, Packets.keySlice),
                Seen(10, 8_980, Packets.parameters), Seen(11, 8_980, Packets.keyPicture),
                Seen(12, 8_980, Packets.keySlice),
                Seen(13, 8_990, Packets.picture), Seen(14, 9_000, Packets.picture),
            ]
        )
        #expect(Packets.read(group.burst(repeatsKeyFrame: false)).map(\.sequence) == [10, 11, 12, 13, 14])
    }

    @Test func `Sequence numbers and timestamps begin anew as the camera's do`() {
        let group = group(key(0, 5), other(1, 3_005), other(2, 6_005))
        let late = self.group(key(0, 5))
        #expect(Packets.read(group.burst(repeatsKeyFrame: true)).map(\.sequence) == [65_535, 0, 1, 2])
        #expect(Packets.read(late.burst(repeatsKeyFrame: true)).map(\.timestamp) == [UInt32.max - 4, 5])
    }

    @Test func `A new key frame and its parameter sets replace the kept packets, also with equal timestamps`() {
        let rows: [(GroupOfPictures, sequences: [UInt16])] = [
            (group(key(1), other(2, 1), sets(3, 2), key(4, 2)), [3, 4]),
            (group(key(1, 7), other(2, 7), key(3, 7)), [3]),
        ]
        for (group, sequences) in rows {
            #expect(group.number == 2)
            #expect(Packets.read(group.burst(repeatsKeyFrame: false)).map(\.sequence) == sequences)
        }
    }

    @Test func `Parameter sets that wait for their key frame come at the time after the last picture`() {
        let group = group(key(1), sets(2, 3_000))
        #expect(Packets.read(group.burst(repeatsKeyFrame: false)).map(\.timestamp) == [2_990, 3_000])
    }

    @Test func `A message in the middle of a picture keeps the order of what a newcomer gets`() {
        let group = group(key(1, isLast: false), sets(2), slice(3))
        #expect(Packets.read(group.burst(repeatsKeyFrame: true)).map(\.sequence).suffix(3) == [1, 2, 3])
    }

    @Test func `It is ready once the key frame is complete: by its mark, or by the next picture`() {
        let key = key(1, isLast: false)
        #expect(!group().isReady)
        #expect(!group(other(1, 0)).isReady)
        #expect(!group(key).isReady)
        #expect(!group(key, slice(2, isLast: false)).isReady)
        #expect(group(key, slice(3), slice(2, isLast: false)).isReady, "swapped packets")
        let next = (3...4).map { self.key($0, isLast: false) }
        #expect(group(key, next[0]).isReady && group(key, next[0], next[1]).isReady, "a camera without marks")
        #expect(!group(self.key(1), key).isReady)
        #expect(group(key, other(2, 1, isLast: false)).isReady)
    }

    @Test func `Beyond its limit nothing is kept, until the next key frame`() {
        var group = group(key(1))
        let large = Packets.picture + [UInt8](repeating: 1, count: 60_000)
        for sequence in 2..<UInt16(2 + GroupOfPictures.limit / 60_000 + 1) {
            Packets.packet(sequence, at: 3_000, large).map { group.append($0) }
        }
        #expect(!group.isReady && group.burst(repeatsKeyFrame: true).isEmpty)
        key(1_000).map { group.append($0) }
        #expect(group.isReady)
    }

    @Test func `Messages without end are not kept without end`() {
        var group = GroupOfPictures()
        let large = Packets.parameters + [UInt8](repeating: 1, count: 60_000)
        for sequence in 0..<UInt16(GroupOfPictures.limit / 60_000 + 2) {
            Packets.packet(sequence, at: 0, large).map { group.append($0) }
        }
        #expect(group.burst(repeatsKeyFrame: false).count < 10)
    }

    @Test func `A large group keeps the bytes of each packet, before and after a key frame`() throws {
        var group = GroupOfPictures()
        var sequence: UInt16 = 0
        for _ in 0..<2 {
            var sent: [[UInt8]] = []
            for number in UInt8(0)..<200 {
                let payload = number == 0 ? Packets.parameters : number == 1 ? Packets.keyPicture : Packets.picture
                sent.append(payload + Array(repeating: number, count: 1_000))
                group.append(try #require(Packets.packet(sequence, at: 0, sent[Int(number)])))
                sequence += 1
            }
            #expect(Packets.read(group.burst(repeatsKeyFrame: false)).map(\.payload) == sent)
        }
    }
}
