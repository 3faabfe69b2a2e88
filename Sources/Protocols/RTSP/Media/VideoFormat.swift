/// A video codec that a probe knows.
public enum VideoCodec: String, CaseIterable, Sendable, Codable {
    /// H.264, also called AVC.
    case h264
    /// H.265, also called HEVC.
    case h265
    /// One JPEG picture after the other.
    case mjpeg
}

/// What a stream's parameter sets say about its picture.
public struct VideoFormat: Sendable, Hashable {
    /// The codec.
    public var codec: VideoCodec
    /// The picture's width in pixels after cropping, nil when the stream has not told it yet.
    public var width: Int?
    /// The picture's height in pixels after cropping, nil when the stream has not told it yet.
    public var height: Int?
    /// The profile's name, such as `Constrained Baseline`.
    public var profile: String?

    /// A format.
    public init(codec: VideoCodec, width: Int? = nil, height: Int? = nil, profile: String? = nil) {
        self.codec = codec
        self.width = width
        self.height = height
        self.profile = profile
    }
}
