import CameraProtocols
import Platform

extension ParameterSets {
    /// The session's description (RFC 8866): the video alone, as the camera sends it.
    func description(named name: String, payloadType: UInt8) -> String {
        """
        v=0
        o=- 1 1 IN IP4 0.0.0.0
        s=\(name)
        c=IN IP4 0.0.0.0
        t=0 0
        a=control:*
        a=range:npt=now-
        m=video 0 RTP/AVP \(payloadType)
        a=rtpmap:\(payloadType) \(codec == .h264 ? "H264" : "H265")/90000
        a=fmtp:\(payloadType) \(formatParameters)
        a=control:\(RelayAddress.track)

        """
        .split(separator: "\n").map { $0 + "\r\n" }.joined()
    }

    /// The value of `fmtp` after the payload type (RFC 6184, section 8.2.1; RFC 7798, section 7.1).
    var formatParameters: String {
        func text(_ kinds: some Sequence<[[UInt8]]>) -> String {
            kinds.joined().map { Base64.encode($0) }.joined(separator: ",")
        }
        guard codec == .h264 else {
            return zip(["vps", "sps", "pps"], sets).map { "sprop-\($0)=\(text([$1]))" }.joined(separator: "; ")
        }
        let profile =
            sets[0].last.map { set in
                "; profile-level-id=" + set.dropFirst().prefix(3).map { $0.hex(digits: 2, uppercase: true) }.joined()
            } ?? ""
        return "packetization-mode=1\(profile); sprop-parameter-sets=\(text(sets))"
    }
}
