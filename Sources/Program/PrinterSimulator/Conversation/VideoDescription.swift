/// The SDP of a printer (RFC 4566), with LIVE555's blank lines in its middle.
struct VideoDescription: Sendable {
    var hasVideo: Bool
    var date: String

    var text: String {
        var lines = [
            "v=0",
            "o=- 1700000000000000 1 IN IP4 127.0.0.1",
            "s=rtsp stream server",
            "i=\(date)\n",
            "t=0 0",
            "a=tool:LIVE555 Streaming Media v2023.03.30",
            "a=type:broadcast",
            "a=control:*",
            "a=range:npt=now-",
            "a=x-qt-text-nam:rtsp stream server",
            "a=x-qt-text-inf:\(date)\n",
        ]
        if hasVideo {
            lines += [
                "m=video 0 RTP/AVP \(RTPPacketizer.payloadType)",
                "c=IN IP4 0.0.0.0",
                "b=AS:1000",
                "a=rtpmap:\(RTPPacketizer.payloadType) H264/\(RTPPacketizer.clockRate)",
                "a=fmtp:\(RTPPacketizer.payloadType) \(H264Clip.embedded.formatParameters)",
                "a=control:track1",
            ]
        } else {
            lines += ["m=audio 0 RTP/AVP 0", "c=IN IP4 0.0.0.0", "a=control:track1"]
        }
        return lines.map { $0 + "\r\n" }.joined()
    }
}
