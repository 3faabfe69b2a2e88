/// Why there is no picture, although the camera sent one.
package enum PictureFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The camera sends video, and nothing here decodes it.
    case noDecoder
    /// A film of JPEG pictures is to be made, and nothing here encodes it.
    case noEncoder
    case undecodable
    case tooLarge
    case timedOut

    package var description: String {
        switch self {
        case .noDecoder: "ffmpeg is not installed, and this camera sends video: install ffmpeg on the bridge's machine."
        case .noEncoder:
            "ffmpeg is not installed, and clips of this camera's JPEG pictures need it: install ffmpeg on the bridge's machine."
        case .undecodable: "The camera sent a picture that cannot be decoded."
        case .tooLarge: "The picture has more than \(PictureMaker.byteLimit / 1024) KiB, also when it is scaled down."
        case .timedOut: "ffmpeg took too long for the picture."
        }
    }
}
