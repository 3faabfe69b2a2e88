/// Watches RTP packets for the first key frame that came whole and whose parameter set is known.
///
/// Pictures are told apart by their slices and the marker bit; timestamps are not trusted, since some cameras' do
/// not advance. A gap in the sequence numbers spoils the picture in progress.
struct KeyFrameDetector: Sendable, Hashable {
    let codec: NALCodec
    /// From the newest sequence parameter set.
    private(set) var format: VideoFormat?
    /// RTP packets seen.
    private(set) var packets = 0
    /// Whole key frames seen, also those without a parameter set.
    private(set) var keyFrames = 0

    private struct Position: Sendable, Hashable {
        var sequence: UInt16
        var source: UInt32
        var timestamp: UInt32
    }

    private var last: Position?
    private var isInPicture = false
    private var isInUnit = false
    private var hasWholeSlice = false

    /// `known` is the format that the description's parameter sets tell.
    init(codec: NALCodec, known: VideoFormat? = nil) {
        self.codec = codec
        format = known?.width == nil ? nil : known
    }

    /// Takes what came on the track's channel; true once a key frame is complete.
    mutating func receive(_ bytes: [UInt8]) -> Bool {
        guard let packet = RTPPacket(bytes) else { return false }
        packets += 1
        defer { last = Position(sequence: packet.sequence, source: packet.source, timestamp: packet.timestamp) }
        if let last, last.source != packet.source || last.sequence &+ 1 != packet.sequence { forgetPicture() }
        var found = last?.timestamp != packet.timestamp && endPicture()
        for fragment in NALFragment.all(in: packet.payload, codec: codec) where take(fragment) { found = true }
        if packet.marker, endPicture() { found = true }
        return found
    }

    /// True when the fragment shows that the picture before it is complete.
    private mutating func take(_ fragment: NALFragment) -> Bool {
        var found = false
        if fragment.isStart {
            if isInUnit { forgetPicture() }
            if fragment.kind != .keySlice || fragment.beginsPicture { found = endPicture() }
            if fragment.kind == .keySlice, fragment.beginsPicture { isInPicture = true }
            isInUnit = true
        } else if !isInUnit {
            forgetPicture()
            return false
        }
        if let unit = fragment.parameterSet, let format = codec.format(ofParameterSet: unit) { self.format = format }
        if fragment.isEnd {
            isInUnit = false
            if isInPicture, fragment.kind == .keySlice { hasWholeSlice = true }
        }
        return found
    }

    /// Ends the key picture in progress; true when it is whole and can be decoded.
    private mutating func endPicture() -> Bool {
        defer { forgetPicture(keepingUnit: true) }
        guard isInPicture, hasWholeSlice, !isInUnit else { return false }
        keyFrames += 1
        return format != nil
    }

    private mutating func forgetPicture(keepingUnit: Bool = false) {
        isInPicture = false
        hasWholeSlice = false
        if !keepingUnit { isInUnit = false }
    }
}
