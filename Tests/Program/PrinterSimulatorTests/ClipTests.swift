import NIOCore
import Testing

@testable import PrinterSimulator

@Suite("The film and its packets")
struct ClipTests {
    @Test("is three seconds, begins with a key frame, has one a second")
    func clip() {
        let clip = H264Clip.embedded
        #expect(clip.frames.count == 3 * H264Clip.framesPerSecond)
        #expect(clip.frames.indices.filter { clip.frames[$0].isKeyFrame } == [0, 15, 30])
        #expect(clip.sequenceParameterSet.first == 0x67 && clip.pictureParameterSet.first == 0x68)
        #expect(clip.formatParameters.hasPrefix("packetization-mode=1;profile-level-id=42C015"))
    }

    @Test("is cut at start codes of three and of four bytes")
    func annexB() {
        let clip = H264Clip(annexB: [0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x68, 2, 0, 0, 0, 1, 0x65, 3, 0, 0, 1, 0x41, 4])
        #expect(clip.frames == [.init(units: [[0x67, 1], [0x68, 2], [0x65, 3]]), .init(units: [[0x41, 4]])])
        #expect(H264Clip(annexB: []).frames.isEmpty)
    }

    @Test("comes out of its packets as it went in", arguments: [1, 2, 1399, 1400, 1401, 2799, 2800, 10_000])
    func packets(size: Int) throws {
        let units: [[UInt8]] = [[0x67, 1, 2], [0x65] + (1..<max(2, size)).map { UInt8(truncatingIfNeeded: $0) }]
        var packetizer = RTPPacketizer(source: 7, sequenceNumber: 65_535)
        var buffer = ByteBuffer()
        packetizer.write(.init(units: units), timestamp: 9, channel: 2, to: &buffer)

        var found: [[UInt8]] = []
        var number: UInt16 = 65_535
        var markers: [Bool] = []
        while let magic = buffer.readInteger(as: UInt8.self) {
            #expect(magic == UInt8(ascii: "$"))
            #expect(buffer.readInteger(as: UInt8.self) == 2)
            let length = Int(buffer.readInteger(as: UInt16.self) ?? 0)
            let slice = buffer.readSlice(length: length)
            var packet = try #require(slice)
            #expect(packet.readInteger(as: UInt8.self) == 0x80)
            let type = packet.readInteger(as: UInt8.self) ?? 0
            #expect(type & 0x7F == 96)
            markers.append(type & 0x80 != 0)
            #expect(packet.readInteger(as: UInt16.self) == number)
            number &+= 1
            #expect(packet.readInteger(as: UInt32.self) == 9)
            #expect(packet.readInteger(as: UInt32.self) == 7)
            #expect(packet.readableBytes <= 1400)
            let payload = Array(packet.readableBytesView)
            if payload[0] & 31 == 28 {
                if payload[1] & 0x80 != 0 { found.append([payload[0] & 0xE0 | payload[1] & 31]) }
                #expect(payload[1] & 0xC0 != 0xC0, "one fragment is none")
                found[found.count - 1] += payload[2...]
            } else {
                found.append(payload)
            }
        }
        #expect(found == units)
        #expect(markers.last == true && markers.dropLast().allSatisfy { !$0 })
    }
}
