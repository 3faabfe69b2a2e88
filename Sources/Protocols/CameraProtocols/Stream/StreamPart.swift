/// The parts of a stream that is passed on, in order.
package enum StreamPart: Sendable, Hashable {
    /// The camera sends the track from now on; with the parameter sets of its description.
    case began(VideoTrack)
    /// An RTP packet of the track, as it came.
    case packet([UInt8])
    /// A whole picture; with RTSP, a key frame that the packets before it make up.
    case picture(CodedPicture)
}
