import CameraProtocols
import NIOCore

/// An RTP packet of a camera as viewers get it, and what it means for the pictures.
struct MediaPacket: Sendable {
    enum Content: Sendable, Hashable {
        case keyPictureBegins
        case pictureBegins
        /// The rest of a picture.
        case picture
        /// Parameter sets, delimiters and messages, which belong to the picture after them.
        case preface
    }

    /// The bytes before a packet on the connection (RFC 2326, section 10.12).
    static let frameHeader = 4

    var frame: ByteBuffer
    /// The stream that it belongs to (SSRC).
    let source: UInt32
    let payloadType: UInt8
    var timestamp: UInt32 { didSet { frame.setInteger(timestamp, at: Self.frameHeader + 4) } }
    let sequence: UInt16
    /// Whether it is the last packet of a picture, as the camera says.
    let isMarked: Bool
    let content: Content
    /// The parameter sets that are whole in it.
    let parameterSets: [[UInt8]]
    /// When it came, in seconds of `MachineClock`.
    var receivedAt = 0.0

    /// Nil for bytes that are no RTP packet.
    init?(_ bytes: [UInt8], codec: NALCodec) {
        guard let packet = RTPPacket(bytes) else { return nil }
        (source, payloadType) = (packet.source, packet.payloadType)
        timestamp = packet.timestamp
        sequence = packet.sequence
        isMarked = packet.marker
        if Self.isContinued(packet.payload, codec) {
            (content, parameterSets, frame) = (.picture, [], Self.frame(of: bytes))
            return
        }
        let fragments = NALFragment.all(in: packet.payload, codec: codec)
        content = Self.content(of: fragments)
        let timed = FrameRateHint.added(to: fragments, in: packet, header: bytes, codec)
        parameterSets = (timed?.fragments ?? fragments.filter(\.isParameterSet).map { Array($0.bytes) })
        frame = Self.frame(of: timed?.packet ?? bytes)
    }

    /// Whether a payload holds a later fragment of a unit, as most payloads do.
    private static func isContinued(_ payload: ArraySlice<UInt8>, _ codec: NALCodec) -> Bool {
        guard let first = payload.first, codec.unitType(first) == codec.fragmentType,
            let header = payload.dropFirst(codec.unitHeaderSize).first
        else { return false }
        return header & 0x80 == 0
    }

    private static func content(of fragments: [NALFragment]) -> Content {
        let slices = fragments.filter { $0.kind == .keySlice || $0.kind == .otherSlice }
        guard let first = slices.first(where: \.beginsPicture) else { return slices.isEmpty ? .preface : .picture }
        return first.kind == .keySlice ? .keyPictureBegins : .pictureBegins
    }

    private static func frame(of packet: [UInt8]) -> ByteBuffer {
        var frame = ByteBuffer()
        frame.reserveCapacity(frameHeader + packet.count)
        frame.writeBytes([UInt8(ascii: "$"), ViewerSession.channel])
        frame.writeInteger(UInt16(clamping: packet.count))
        frame.writeBytes(packet)
        return frame
    }
}

extension NALFragment {
    var isParameterSet: Bool { isEnd && (kind == .sequenceParameters || kind == .otherParameters) }
}
