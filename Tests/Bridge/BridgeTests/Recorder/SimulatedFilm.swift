import CameraProtocols

@testable import PrinterSimulator

/// What a simulated camera sends, without a camera and at any time.
enum SimulatedFilm {
    /// What a decoder needs for the pictures of an X1C.
    static var configuration: VideoConfiguration? {
        let clip = H264Clip.embedded
        return VideoConfiguration(ParameterSets(.h264, known: [clip.sequenceParameterSet, clip.pictureParameterSet]))
    }

    /// The picture of a number from 0, with that number and the time in seconds painted into it.
    static func picture(_ number: Int, of camera: SimulatedCamera, at time: Double) -> VideoPicture {
        let stamp = PictureStamp(frame: number, layer: 0, milliseconds: Int(time * 1000))
        let frames = H264Clip.embedded.frames
        let frame = H264Stamp.paint(stamp, into: frames[number % frames.count])
        let slices = frame.units.filter { (1...5).contains($0[0] & 31) }
        let video = slices.flatMap { slice in
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: slice.count >> ($0 * 8)) } + slice
        }
        return VideoPicture(
            isKey: camera == .jpeg || frame.isKeyFrame,
            timestamp: Int64(time * 90_000),
            receivedAt: time,
            bytes: camera == .jpeg ? JPEGStamp.embedded.picture(stamp) : video
        )
    }
}
