/// One picture as a camera sent it, with all that a decoder needs.
package struct CodedPicture: Sendable, Hashable {
    /// The most bytes of a picture; cameras send about a tenth of a megabyte.
    package static let byteLimit = 8 << 20

    package var codec: VideoCodec
    /// A JPEG file; for H.264 and H.265 a byte stream with start codes (annex B), parameter sets first.
    package var bytes: [UInt8]

    package init(codec: VideoCodec, bytes: [UInt8]) { (self.codec, self.bytes) = (codec, bytes) }
}
