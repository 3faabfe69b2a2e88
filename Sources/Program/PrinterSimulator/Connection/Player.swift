internal import NIOCore

/// Where one viewer is in the film, and when the next frame is due.
final class Player {
    var next: Scheduled<Void>?

    private let channel: UInt8
    private let clip = H264Clip.embedded
    private let state: PrinterState
    private let begin = NIODeadline.now()
    /// The number of the first frame.
    private let firstFrame: Int
    private let firstTimestamp = UInt32.random(in: .min ... .max)
    private var packetizer = RTPPacketizer(
        source: .random(in: .min ... .max),
        sequenceNumber: .random(in: .min ... .max)
    )
    /// The number of the next frame, from the beginning.
    private var count = 0
    private var waitsForKeyFrame = true

    init(channel: UInt8, _ state: PrinterState) {
        (self.channel, self.state) = (channel, state)
        firstFrame = Int(state.seconds * Double(H264Clip.framesPerSecond))
    }

    /// When the next frame is due: from the beginning, so that delays don't add up.
    var deadline: NIODeadline { begin + .nanoseconds(Int64(count) * 1_000_000_000 / Int64(H264Clip.framesPerSecond)) }

    /// Advances by one frame; returns its packets if it is to be sent.
    ///
    /// A viewer too slow for the film misses frames up to the next key frame, as with a camera.
    func advance(fault: SimulatedFault?, isWritable: Bool) -> ByteBuffer? {
        let frame = clip.frames[count % clip.frames.count]
        count += 1
        switch fault {
        case .noMedia: return nil
        case .noKeyFrame: return frame.isKeyFrame ? nil : packets(of: frame)
        case .mediaStops where count > 10: return nil
        default: break
        }
        if !isWritable { waitsForKeyFrame = true }
        if waitsForKeyFrame, !frame.isKeyFrame || !isWritable { return nil }
        waitsForKeyFrame = false
        return packets(of: frame)
    }

    private func packets(of frame: H264Clip.Frame) -> ByteBuffer {
        let ticks = (count - 1) * RTPPacketizer.clockRate / H264Clip.framesPerSecond
        let timestamp = firstTimestamp &+ UInt32(truncatingIfNeeded: ticks)
        var buffer = ByteBuffer()
        let frame = H264Stamp.paint(state.stamp(firstFrame + count - 1), into: frame)
        packetizer.write(frame, timestamp: timestamp, channel: channel, to: &buffer)
        return buffer
    }
}
