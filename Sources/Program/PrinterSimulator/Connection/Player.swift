internal import NIOCore

/// Where one viewer is in the film, and when the next frame is due.
final class Player {
    var next: Scheduled<Void>?

    private let channel: UInt8
    private let frames: Int
    private let begin = NIODeadline.now()
    private let firstTimestamp = UInt32.random(in: .min ... .max)
    private var packetizer = RTPPacketizer(
        source: .random(in: .min ... .max),
        sequenceNumber: .random(in: .min ... .max)
    )
    /// Of the next frame, counted from the beginning.
    private var count = 0
    private var waitsForKeyFrame = true

    init(channel: UInt8, frames: Int) { (self.channel, self.frames) = (channel, frames) }

    /// When the next frame is due: from the beginning, so that delays don't add up.
    var deadline: NIODeadline { begin + .nanoseconds(Int64(count) * 1_000_000_000 / Int64(H264Clip.framesPerSecond)) }

    /// Advances by one frame; returns its place in the clip if it is to be sent.
    ///
    /// A viewer too slow for the film misses frames up to the next key frame, as with a camera.
    func takeFrame(fault: SimulatedFault?, isWritable: Bool, clip: H264Clip) -> Int? {
        let number = count % frames
        count += 1
        let isKeyFrame = clip.frames[number].isKeyFrame
        switch fault {
        case .noMedia: return nil
        case .noKeyFrame: return isKeyFrame ? nil : number
        case .mediaStops where count > 10: return nil
        default: break
        }
        if !isWritable { waitsForKeyFrame = true }
        if waitsForKeyFrame, !isKeyFrame || !isWritable { return nil }
        waitsForKeyFrame = false
        return number
    }

    func write(_ frame: H264Clip.Frame, to buffer: inout ByteBuffer) {
        let ticks = (count - 1) * RTPPacketizer.clockRate / H264Clip.framesPerSecond
        let timestamp = firstTimestamp &+ UInt32(truncatingIfNeeded: ticks)
        packetizer.write(frame, timestamp: timestamp, channel: channel, to: &buffer)
    }
}
