import Testing

@testable import CameraProtocols

@Suite("Key frames")
struct KeyFrameDetectorTests {
    private static let sps = Base64.decode("Z0LACtxCbARAAAADAEAAAAMAg8SJ4A==") ?? []
    private static let pps: [UInt8] = [0x68, 0xce]
    private static let known = VideoFormat(codec: .h264, width: 1, height: 1)
    /// The first slice of a key picture, and one that is not the first.
    private static let (first, second): ([UInt8], [UInt8]) = ([0x65, 0x88, 1, 2, 3, 4, 5], [0x65, 0x40, 1, 2])
    private static let delta: [UInt8] = [0x41, 0x9a, 0x24]

    /// A packet: sequence, marker, timestamp and payload.
    private func packet(_ sequence: UInt16, _ payload: [UInt8], marker: Bool = false, time: UInt32 = 0) -> [UInt8] {
        [0x80, 96 | (marker ? 0x80 : 0), UInt8(sequence >> 8), UInt8(sequence & 255)]
            + [UInt8(time >> 24), UInt8(time >> 16 & 255), UInt8(time >> 8 & 255), UInt8(time & 255)]
            + [1, 2, 3, 4] + payload
    }

    /// The index of the packet that completes a key frame.
    private func found(_ packets: [[UInt8]], known: VideoFormat? = known) -> Int? {
        var detector = KeyFrameDetector(codec: .h264, known: known)
        return packets.firstIndex { detector.receive($0) }
    }

    /// So many packets that the one before them is missing, and does not only come late.
    private func others(from first: UInt16) -> [[UInt8]] {
        (first..<first + 16).map { packet($0, Self.delta, marker: true) }
    }

    private func fragment(_ flags: UInt8, _ byte: UInt8) -> [UInt8] { [0x7c, flags | 5, byte, 9, 9] }

    @Test func `A picture ends with the marker, the next picture's slice or another timestamp`() {
        #expect(found([packet(1, Self.first, marker: true)]) == 0)
        #expect(found([packet(1, Self.first), packet(2, Self.second), packet(3, Self.delta)]) == 2)
        #expect(found([packet(1, Self.first), packet(2, Self.first)]) == 1)
        #expect(found([packet(1, Self.first), packet(2, Self.second, marker: true)]) == 1)
        #expect(found([packet(1, Self.first), packet(2, [9, 16], time: 90)]) == 1)
        #expect(found([packet(1, Self.first), packet(2, Self.second)]) == nil)
        #expect(found([packet(0xffff, Self.first), packet(0, Self.second, marker: true)]) == 1)
    }

    @Test func `A picture without its beginning or a packet is skipped, but the next whole one counts`() {
        #expect(found([packet(1, Self.second, marker: true)]) == nil)
        let rest = [packet(1, Self.first), packet(3, Self.second, marker: true)]
        #expect(found(rest + others(from: 4)) == nil)
        #expect(found(rest + [packet(4, Self.first, marker: true)] + others(from: 5)) == 17)
    }

    @Test func `Fragments have to be all there`() {
        let (start, middle, end) = (fragment(0x80, 0x88), fragment(0, 0), fragment(0x40, 0))
        #expect(found([packet(1, start), packet(2, middle), packet(3, end, marker: true)]) == 2)
        #expect(found([packet(1, start), packet(2, end, marker: true)]) == 1)
        #expect(found([packet(1, start), packet(3, end, marker: true)] + others(from: 4)) == nil)
        #expect(found([packet(1, middle), packet(2, end, marker: true)]) == nil)
        #expect(found([packet(1, start), packet(2, middle, marker: true)]) == nil)
        #expect(found([packet(1, start), packet(2, start), packet(3, end, marker: true)]) == 2)
        #expect(found([packet(1, start), packet(2, [0x7c, 0x45], marker: true)]) == 1)
        #expect(found([packet(1, start), packet(2, [0x7c, 5]), packet(3, end, marker: true)]) == 2)
        #expect(found([packet(1, start), packet(2, Self.delta), packet(3, end, marker: true)]) == nil)
        #expect(found([packet(1, start), packet(3, end, marker: true), packet(2, middle)]) == 2)
    }

    @Test(arguments: NALCodec.allCases)
    func `A marker or another timestamp in the middle of a unit ends nothing`(_ codec: NALCodec) {
        let header: [UInt8] = codec == .h264 ? [0x7c] : [0x62, 1]
        let type: UInt8 = codec == .h264 ? 5 : 19
        let packets = ([0x80, 0, 0x40] as [UInt8]).enumerated().map { index, flags in
            packet(UInt16(index), header + [flags | type, 0x88, 9], marker: true, time: UInt32(index))
        }
        var detector = KeyFrameDetector(codec: codec, known: Self.known)
        #expect(packets.firstIndex { detector.receive($0) } == 2)
        #expect(found([packets[0], packets[2]]) == nil)
    }

    @Test func `No picture counts without a parameter set, which may come aggregated in the stream`() throws {
        var detector = KeyFrameDetector(codec: .h264)
        #expect(detector.receive(packet(1, Self.first, marker: true)) == false)
        #expect(detector.keyFrames == 1 && detector.packets == 1 && detector.format == nil)
        let aggregate = [0x78] + [0, UInt8(Self.sps.count)] + Self.sps + [0, 2] + Self.pps
        #expect(detector.receive(packet(2, aggregate)) == false)
        #expect(detector.format?.width == 64)
        #expect(detector.receive(packet(3, Self.first, marker: true)) == true)
        #expect(found([packet(1, Self.sps), packet(2, Self.first, marker: true)], known: nil) == 1)
    }

    @Test func `A parameter set may come in pieces too, all of which it needs`() {
        let middle = Self.sps.count / 2
        let start = [0x7c, 0x80 | 7] + Self.sps[1..<middle]
        let end = [0x7c, 0x40 | 7] + Self.sps[middle...]
        let picture = packet(3, Self.first, marker: true)
        #expect(found([packet(1, start), packet(2, end), picture], known: nil) == 2)
        #expect(found([packet(1, start), picture] + others(from: 4), known: nil) == nil)
        #expect(found([packet(2, end), picture], known: nil) == nil)
        #expect(found([packet(1, [0x7c, 7] + [UInt8](repeating: 1, count: 60_000)), picture], known: nil) == nil)
    }

    @Test func `A piece belongs to the unit that began last, whatever its own header says`() {
        let picture = [0x7c, 0x80 | 7] + Self.sps.dropFirst() + [0, 0, 1] + Self.first
        #expect(found([packet(1, picture), packet(2, [0x7c, 0x40 | 7, 9, 9], marker: true)], known: nil) == 1)
        #expect(found([packet(1, picture), packet(2, [0x7c, 7, 9, 9], marker: true)], known: nil) == nil)
        let end = packet(3, [0x7c, 0x40 | 7, 9, 9], marker: true)
        #expect(found([packet(1, picture), end] + others(from: 4), known: nil) == nil)
    }

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

    @Test func `Packets that come twice, and those of other payload types, change nothing`() {
        let (start, end) = (packet(1, fragment(0x80, 0x88)), packet(2, fragment(0x40, 0), marker: true))
        #expect(found([start, start, end]) == 2)
        #expect(found([packet(0, Self.delta), start, packet(0, Self.delta), end]) == 3)
        var detector = KeyFrameDetector(codec: .h264, payloadType: 96, known: Self.known)
        var other = packet(7, Self.first, marker: true)
        other[1] = 0x80 | 97
        #expect([start, other, end].firstIndex { detector.receive($0) } == 2)
        #expect(detector.packets == 2 && detector.strangers == 1)
    }

    @Test func `RTCP, other versions and cut packets are not video`() throws {
        var detector = KeyFrameDetector(codec: .h264, known: Self.known)
        var rtcp = packet(1, Self.first, marker: true)
        rtcp[1] = 200
        var old = packet(1, Self.first, marker: true)
        old[0] = 0x40
        for bytes in [rtcp, old, [], [0x80], Array(packet(1, []).prefix(11))] {
            #expect(detector.receive(bytes) == false)
        }
        #expect(detector.packets == 0)
    }

    @Test func `Padding, extension and contributors are not payload`() throws {
        let bytes: [UInt8] =
            [0xb1, 96, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 9] + [0, 0, 0, 1, 7, 7, 7, 7] + [65, 66] + [0, 2]
        let packet = try #require(RTPPacket(bytes))
        #expect(Array(packet.payload) == [65, 66])
        for count in 0..<bytes.count - 2 { #expect(RTPPacket(Array(bytes.prefix(count)))?.payload.count ?? 0 <= 2) }
    }
}
