import CameraProtocols

/// The newest parameter sets of a stream, which a decoder needs before its first picture: a value.
struct ParameterSets: Sendable, Hashable {
    /// Sets of one kind that are kept; cameras send one.
    private static let limit = 8
    /// Bytes of one set that is read, and goes into a description.
    static let longest = 4096

    let codec: NALCodec
    /// By kind, in the order in which a stream sends them: VPS (H.265 only), SPS, PPS.
    private var sets: [[[UInt8]]]

    init(_ codec: NALCodec, known: [[UInt8]] = []) {
        self.codec = codec
        sets = Array(repeating: [], count: codec == .h264 ? 2 : 3)
        for set in known { add(FrameRateHint.added(to: set, codec)) }
    }

    var isComplete: Bool { sets.allSatisfy { !$0.isEmpty } }

    /// Takes a set.
    ///
    /// A new one makes the sets of the later kinds useless, since they refer to it.
    mutating func add(_ set: [UInt8]) {
        guard let first = set.first, set.count <= Self.longest, let kind = kind(codec.unitType(first)),
            !sets[kind].contains(set)
        else { return }
        let isLast = kind == sets.count - 1
        sets[kind] = (isLast ? sets[kind].suffix(Self.limit - 1) : []) + [set]
        for later in sets.indices where later > kind { sets[later] = [] }
    }

    private func kind(_ type: UInt8) -> Int? {
        (codec == .h264 ? [7, 8] : [32, 33, 34]).firstIndex(of: type)
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
            sets[0].first.map { "; profile-level-id=" + $0.dropFirst().prefix(3).map(Self.hex).joined() } ?? ""
        return "packetization-mode=1\(profile); sprop-parameter-sets=\(text(sets))"
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

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
}
