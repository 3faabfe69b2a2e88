import Testing

@testable import CameraProtocols
@testable import Relay

@Suite("A camera's packet")
struct MediaPacketTests {
    typealias Row = (name: String, codec: NALCodec, payload: [UInt8], content: MediaPacket.Content)

    static let rows: [Row] = [
        ("a key picture's first slice", .h264, [0x65, 0x88, 1], .keyPictureBegins),
        ("its second slice", .h264, [0x65, 0x40, 1], .picture),
        ("another picture", .h264, [0x41, 0x9a], .pictureBegins),
        ("a parameter set", .h264, [0x68, 0xce, 1], .preface),
        ("a message", .h264, [6, 5, 1], .preface),
        ("sets and a key picture", .h264, [0x78, 0, 2, 0x68, 0xce, 0, 3, 0x65, 0x88, 1], .keyPictureBegins),
        ("the beginning of a key picture's fragments", .h264, [0x7c, 0x85, 0x88, 1], .keyPictureBegins),
        ("a fragment that goes on", .h264, [0x7c, 5, 0x88, 1], .picture),
        ("the last fragment", .h264, [0x7c, 0x45, 0x88, 1], .picture),
        ("nothing", .h264, [], .preface),
        ("a key picture of H.265", .h265, [0x26, 1, 0x80, 1], .keyPictureBegins),
        ("its fragments' beginning", .h265, [0x62, 1, 0x93, 0x80], .keyPictureBegins),
        ("a fragment of H.265 that goes on", .h265, [0x62, 1, 0x13, 0x80], .picture),
        ("another picture of H.265", .h265, [2, 1, 0x80, 1], .pictureBegins),
        ("a parameter set of H.265", .h265, [0x40, 1, 1], .preface),
    ]

    @Test(arguments: rows)
    func `It says what of a picture is in it`(_ row: Row) {
        #expect(Packets.packet(1, at: 0, row.payload, row.codec)?.content == row.content, "\(row.name)")
    }

    @Test func `It goes on as it came, in a frame of the video's channel`() throws {
        for row in Self.rows {
            let packet = try #require(Packets.packet(7, at: 9, row.payload, row.codec))
            #expect(Packets.read([packet.frame]) == [Packets.Seen(7, 9, row.payload)], "\(row.name)")
        }
        #expect(MediaPacket([1, 2, 3], codec: .h264) == nil)
    }

    @Test func `Where a camera's timestamps stand still, they advance with the time of receipt`() throws {
        var timestamps = AdvancingTimestamps()
        let sent = try ([5, 5, 5, 5, 5, 5, 8] as [UInt32]).enumerated().map { number, timestamp in
            // The fourth picture begins with a parameter set.
            let unit = number == 3 ? Self.set : Packets.picture
            var packet = try #require(Packets.packet(UInt16(number), at: timestamp, unit))
            packet.receivedAt = Double(number)
            timestamps.advance(&packet)
            return packet.frame
        }
        #expect(Packets.read(sent).map(\.timestamp) == [5, 5, 5, 90_005, 90_005, 270_005, 270_008])
    }

    /// Without usability information, and with the same in it and 30 pictures a second.
    private static let (set, timed) = (
        Base64.decode("Z0LAHtoCgL/lQA==") ?? [], Base64.decode("Z0LAHtoCgL/lhAAAAwAEAAADAPAQ") ?? []
    )
    private static let picture: [UInt8] = [0x68, 0xce, 0x38, 0x80]

    @Test func `A parameter set without timing gets it, alone or among others`() throws {
        let alone = try #require(Packets.packet(1, at: 0, Self.set))
        #expect(Packets.read([alone.frame]).map(\.payload) == [Self.timed] && alone.parameterSets == [Self.timed])
        func aggregate(_ units: [UInt8]...) -> [UInt8] { [0x78] + units.flatMap { [0, UInt8($0.count)] + $0 } }
        let together = try #require(Packets.packet(1, at: 0, aggregate(Self.set, Self.picture)))
        #expect(Packets.read([together.frame]).map(\.payload) == [aggregate(Self.timed, Self.picture)])
        #expect(together.parameterSets == [Self.timed, Self.picture])
        let same = try #require(Packets.packet(1, at: 0, aggregate(Self.timed, Self.picture)))
        #expect(Packets.read([same.frame]).map(\.payload) == [aggregate(Self.timed, Self.picture)])
    }
}
