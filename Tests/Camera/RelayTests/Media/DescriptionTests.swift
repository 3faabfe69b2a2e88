import CameraProtocols
import Testing

@testable import Relay

@Suite("The description of a stream")
struct DescriptionTests {
    @Test func `The description has the video alone, with the sets`() {
        let text = ParameterSets(.h264, known: [[0x67, 0x42, 0xc0, 0x1f], [0x68, 1]]).description(
            named: "x1c",
            payloadType: 97
        )
        #expect(
            text == """
                v=0\r
                o=- 1 1 IN IP4 0.0.0.0\r
                s=x1c\r
                c=IN IP4 0.0.0.0\r
                t=0 0\r
                a=control:*\r
                a=range:npt=now-\r
                m=video 0 RTP/AVP 97\r
                a=rtpmap:97 H264/90000\r
                a=fmtp:97 packetization-mode=1; profile-level-id=42C01F; sprop-parameter-sets=Z0LAHw==,aAE=\r
                a=control:track1\r

                """
        )
        let later = ParameterSets(.h265, known: [[0x40, 1], [0x42, 1], [0x44, 1]])
        #expect(later.formatParameters == "sprop-vps=QAE=; sprop-sps=QgE=; sprop-pps=RAE=")
    }
}
