/// Why there is no picture, although the camera sent one.
package enum PictureFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The camera sends video, and nothing here decodes it.
    case noDecoder
    /// The camera sends JPEG, and nothing here scales a large picture down.
    case noScaler
    /// A film of JPEG pictures is to be made, and nothing here encodes it.
    case noEncoder
    /// ffmpeg is installed, and a film could not be made.
    case noFilm
    case undecodable
    /// ffmpeg was ended by a signal, or a library of it is missing.
    case crashed
    case tooLarge
    case timedOut

    /// What happened, and what to do.
    package var description: String { [cause, repair].compactMap(\.self).joined(separator: " ") }

    package var cause: String {
        switch self {
        case .noDecoder: "ffmpeg is not installed, and this camera sends video."
        case .noScaler: "ffmpeg is not installed, and pictures above \(PictureMaker.byteLimit / 1024) KiB need it."
        case .noEncoder: "ffmpeg is not installed, and clips of this camera's JPEG pictures need it."
        case .noFilm: "ffmpeg could not make the film."
        case .undecodable: "The camera sent a picture that cannot be decoded."
        case .crashed: "ffmpeg crashed, or does not start inside its sandbox."
        case .tooLarge: "The picture has more than \(PictureMaker.byteLimit / 1024) KiB, also when it is scaled down."
        case .timedOut: "ffmpeg took too long."
        }
    }

    /// What to do; nil if there is nothing to repair.
    package var repair: String? {
        switch self {
        case .noDecoder, .noScaler, .noEncoder: "Install ffmpeg on the bridge's machine."
        case .crashed: "Install ffmpeg from your distribution."
        case .noFilm: "It needs ffmpeg 5.1 or newer, with libx264 (see 'ffmpeg -encoders')."
        case .undecodable, .tooLarge, .timedOut: nil
        }
    }
}
