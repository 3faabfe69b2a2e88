package enum VideoCodec: String, CaseIterable, Sendable, Codable {
    /// H.264, also called AVC.
    case h264
    /// H.265, also called HEVC.
    case h265
    /// One JPEG picture after the other.
    case mjpeg
}

/// What a stream's parameter sets say about its picture.
package struct VideoFormat: Sendable, Hashable, Codable {
    package var codec: VideoCodec
    /// The picture's width in pixels after cropping, nil when the stream has not told it yet.
    package var width: Int?
    /// The picture's height in pixels after cropping, nil when the stream has not told it yet.
    package var height: Int?

    package init(codec: VideoCodec, width: Int? = nil, height: Int? = nil) {
        self.codec = codec
        self.width = width
        self.height = height
    }
}
