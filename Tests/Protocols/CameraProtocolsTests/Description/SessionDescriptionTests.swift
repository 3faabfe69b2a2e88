import Foundation
import Testing

@testable import CameraProtocols

@Suite("Descriptions")
struct SessionDescriptionTests {
    /// As an X1 printer sends it: a line end too many after `i=` and after `a=x-qt-text-inf`.
    static let printer = """
        v=0\r\no=- 1700000000000000 1 IN IP4 192.0.2.7\r\ns=rtsp stream server\r\ni=Sun Jan  7 12:00:00 2024\n\r\nt=0 0\r
        a=tool:LIVE555 Streaming Media v2023.03.30\r\na=type:broadcast\r\na=control:*\r\na=range:npt=now-\r
        a=x-qt-text-nam:rtsp stream server\r\na=x-qt-text-inf:Sun Jan  7 12:00:00 2024\n\r\nm=video 0 RTP/AVP 96\r
        c=IN IP4 0.0.0.0\r\nb=AS:17186\r\na=rtpmap:96 H264/90000\r
        a=fmtp:96 packetization-mode=1;profile-level-id=42C00A;sprop-parameter-sets=Z0LACtxCbARAAAADAEAAAAMAg8SJ4A==,aM4PLIA=\r
        a=control:track1\r\n
        """

    @Test(arguments: ["\n", "\r", "\r\n", "\r\n\r\n", "\n\n\n"])
    func `Every line end will do`(_ end: String) throws {
        let lines = [
            "v=0", "m=audio 0 RTP/AVP 0", "a=control:a", "m=video 0 RTP/AVP 97", "a=rtpmap:97 h265/90000",
            "a=control:b",
        ]
        let description = try #require(SessionDescription(Array(lines.joined(separator: end).utf8)))
        #expect(description.video?.codec == .h265)
        #expect(description.video?.control == "b")
        #expect(description.media.map(\.kind) == ["audio", "video"])
    }

    static let formats: [(String, NALCodec?)] = [
        ("m=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000", .h264),
        ("m=VIDEO 0 RTP/AVP 96\na=RTPMAP:96 HEVC/90000", .h265),
        ("m=video 0 RTP/AVP 26 96\na=rtpmap:96 H264/90000", .h264), ("m=video 0 RTP/AVP 96", nil),
        ("m=video 0 RTP/AVP 96\na=rtpmap:97 H264/90000", nil), ("m=video 0 RTP/AVP 26\na=rtpmap:26 JPEG/90000", nil),
        ("m=audio 0 RTP/AVP 96\na=rtpmap:96 H264/90000", nil), ("m=video 0 RTP/AVP", nil), ("v=0", nil),
        (
            "m=audio 0 RTP/AVP 0\nm=video 0 RTP/AVP 35\na=rtpmap:35 VP8/90000\nm=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000",
            .h264
        ),
    ]

    @Test(arguments: formats)
    func `The first video of a known codec is found`(_ text: String, _ codec: NALCodec?) throws {
        #expect(SessionDescription(Array(text.utf8))?.video?.codec == codec)
    }

    @Test(arguments: ["", "hello", "<html>", "\0\u{1}", "v=1", "a=b\nc=d"])
    func `What is no SDP is told from one without video`(_ text: String) {
        #expect(SessionDescription(Array(text.utf8)) == nil)
    }

    @Test func `Parts of a description beyond the limits are skipped, and earlier parts still count`() throws {
        let video = "v=0\nm=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000\n"
        let formats = "m=audio 0 RTP/AVP" + String(repeating: " 9", count: 3_000)
        let maps = (1_000..<9_000).map { "a=rtpmap:\($0) X/1" }.joined(separator: "\n")
        let sections = String(repeating: "m=video 0 RTP/AVP 96 97 98 99\na=rtpmap:96 X/1\n", count: 5_000)
        let long = "a=fmtp:96 " + String(repeating: "x", count: MessageLimits.line)
        let marks = "a=control:a" + String(repeating: "\u{301}\u{316}", count: 100)
        let text = [video, long, marks, formats, maps, sections].joined(separator: "\n")
        let description = try #require(SessionDescription(Array(text.utf8)))
        #expect(description.video?.payloadType == 96)
        #expect(description.media.map(\.formats.count).max() == 128 && description.media.count == 16)
        #expect(description.media.map(\.attributes.count).reduce(0, +) == 256)
        #expect(description.media[0].attributes.count == 1)
    }

    @Test func `Parameter sets that cannot be read leave the codec`() throws {
        let text = "m=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000\na=fmtp:96 sprop-parameter-sets=!!"
        let format = try #require(SessionDescription(Array(text.utf8))?.video?.format)
        #expect(format == VideoFormat(codec: .h264))
    }

    @Test func `Parameter sets of H.265 have the order of a stream, whatever the order of the description`() throws {
        let sets = "sprop-pps=RAE=; sprop-sps=QgE=; sprop-vps=QAE="
        let text = "m=video 0 RTP/AVP 96\na=rtpmap:96 H265/90000\na=fmtp:96 \(sets)"
        #expect(SessionDescription(Array(text.utf8))?.video?.parameterSets == [[0x40, 1], [0x42, 1], [0x44, 1]])
    }
}
