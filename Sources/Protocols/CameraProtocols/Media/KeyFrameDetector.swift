/// Watches RTP packets for the first key frame that came whole and whose parameter set is known.
///
/// Pictures are told apart by their slices and the marker bit; timestamps are not trusted, since some cameras' do
/// not advance. A missing packet spoils the picture in progress; swapped and repeated ones do not.
struct KeyFrameDetector: Sendable, Hashable {
    let codec: NALCodec
    /// The payload type of the track; others, such as retransmissions, are skipped; nil for any.
    let payloadType: UInt8?
    /// From the newest sequence parameter set.
    private(set) var format: VideoFormat?
    private(set) var packets = 0
    /// RTP packets of other payload types.
    private(set) var strangers = 0
    /// Whole key frames seen, also those without a parameter set.
    private(set) var keyFrames = 0

    /// The newest complete key frame; nil if it was too large.
    private(set) var picture: CodedPicture?
    private var assembler: PictureAssembler
    private var order = PacketOrder()
    private var timestamp: UInt32?
    private var isInPicture = false
    /// The unit that has begun and not yet ended.
    private var unit: NALFragment.Kind?
    private var hasWholeSlice = false

    /// `known` is the format of the description's parameter sets.
    init(
        codec: NALCodec,
        payloadType: UInt8? = nil,
        known: VideoFormat? = nil,
        assembler: PictureAssembler = PictureAssembler(parameters: [])
    ) {
        self.codec = codec
        self.payloadType = payloadType
        self.assembler = assembler
        format = known?.width == nil ? nil : known
    }

    /// Takes what came on the track's channel; true once a key frame is complete.
    mutating func receive(_ bytes: [UInt8]) -> Bool {
        guard let packet = RTPPacket(bytes) else { return false }
        guard payloadType == nil || packet.payloadType == payloadType else {
            strangers += 1
            return false
        }
        packets += 1
        var found = false
        for arrival in order.add(packet, at: 0) where take(arrival) { found = true }
        return found
    }

    private mutating func take(_ arrival: Arrival) -> Bool {
        let packet = arrival.packet
        if arrival.isAfterGap { forgetPicture() }
        var found = timestamp != packet.timestamp && endPicture()
        timestamp = packet.timestamp
        for fragment in NALFragment.all(in: packet.payload, codec: codec) where add(fragment) { found = true }
        if packet.marker, endPicture() { found = true }
        return found
    }

    /// True when the fragment shows that the picture before it is complete.
    private mutating func add(_ fragment: NALFragment) -> Bool {
        var found = false
        if let kind = fragment.kind {
            if unit != nil { forgetPicture() }
            if kind != .keySlice || fragment.beginsPicture { found = endPicture() }
            if kind == .keySlice, fragment.beginsPicture { isInPicture = true }
            unit = kind
        } else if unit == nil {
            forgetPicture()
            return false
        }
        if let unit, unit != .keySlice || isInPicture {
            let parameters = assembler.add(fragment, of: unit)
            if unit == .sequenceParameters, let read = parameters.flatMap(codec.read(parameterSet:)) {
                format = read.format
            }
        }
        if fragment.isEnd {
            if isInPicture, unit == .keySlice { hasWholeSlice = true }
            unit = nil
        }
        return found
    }

    /// Ends the key picture in progress; true when it is whole and can be decoded.
    ///
    /// Not in the middle of a unit: some servers mark every packet (RFC 6184, section 5.1: not to be relied on).
    private mutating func endPicture() -> Bool {
        guard unit == nil else { return false }
        defer { forgetPicture() }
        guard isInPicture, hasWholeSlice else { return false }
        keyFrames += 1
        guard format != nil else { return false }
        picture = assembler.picture(in: codec.name)
        return true
    }

    private mutating func forgetPicture() {
        isInPicture = false
        hasWholeSlice = false
        unit = nil
        assembler.forgetPicture()
    }
}
