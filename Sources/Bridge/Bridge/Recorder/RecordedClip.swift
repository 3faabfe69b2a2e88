import Pictures
import Recorder
import Video

struct RecordedClip: Sendable {
    struct MissingPictures: Error, CustomStringConvertible {
        var description: String { "The camera sent no picture." }
    }

    let pictures: [VideoPicture]
    /// What a decoder needs for them; nil for JPEG.
    let configuration: VideoConfiguration?
    /// When the film begins, in seconds of ``Platform/MachineClock``; pictures before it are decoded, and not shown.
    let start: Double

    /// The parts of a film (MP4).
    @concurrent
    func film(by maker: PictureMaker) async throws -> [[UInt8]] {
        guard !pictures.isEmpty else { throw MissingPictures() }
        guard let configuration else { return [try await maker.film(of: PictureTrack.movie(ofJPEG: pictures))] }
        let samples = PictureTrack.samples(pictures)
        let first = pictures.firstIndex { $0.receivedAt >= start } ?? 0
        return [Movie.head(configuration, of: samples, from: samples[first].timestamp)] + pictures.map(\.bytes)
    }
}
