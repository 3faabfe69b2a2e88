import CameraProtocols
import Pictures
import Printers
import Recorder

/// What ``RecorderService`` has of one printer.
final class Recording {
    /// How the camera is reached; nil while that is not known.
    var target: ProbeTarget?
    var watch = MomentWatch()
    var suspicion = PrintSuspicion<Thumbnail>()
    /// When a picture was compared last.
    var lookedAt = -Double.infinity
    var ring = PictureRing()
    /// What a decoder needs for the pictures; nil for JPEG.
    var configuration: VideoConfiguration?
    /// Watches the camera; nil while nothing is recorded.
    var camera: Task<Void, Never>? { didSet { oldValue?.cancel() } }
    /// Ends the recording some time after the print, in seconds of ``Platform/MachineClock``.
    var end: (timer: Task<Void, Never>, time: Double)? { didSet { oldValue?.timer.cancel() } }
    /// The picture before the present trouble: the trouble may last longer than the ring.
    var trouble: (times: ClosedRange<Double>, picture: RecordedPicture)?
    /// Clips that still need the ring.
    var pendingClips = 0
    /// Whether a timelapse is made of each print.
    var isTimelapsed = false
    /// When the latest picture of the timelapse was received.
    private var lastLayerAt = -Double.infinity

    /// Forgets the pictures that nothing needs any more.
    func emptyUnusedRing() { if camera == nil, pendingClips == 0 { ring.removeAll() } }

    /// Forgets the print before; the printer's whole report may come much later.
    func beginPrint() {
        watch.beginPrint()
        suspicion = PrintSuspicion()
        trouble = nil
    }

    /// The last picture of a time, as a decoder reads it; nil if there is none.
    func picture(in times: ClosedRange<Double>) -> RecordedPicture? {
        let group = ring.group(ofLastIn: times)
        guard let last = group.last else { return nil }
        guard let configuration else {
            let coded = CodedPicture(codec: .mjpeg, bytes: last.bytes)
            return RecordedPicture(coded: coded, receivedAt: last.receivedAt)
        }
        return RecordedPicture(
            coded: configuration.coded(group),
            skipped: group.count - 1,
            receivedAt: last.receivedAt
        )
    }

    /// The newest picture that can be decoded by itself; nil while nothing is recorded.
    var newestKey: RecordedPicture? {
        guard camera != nil, let time = ring.all.last(where: \.isKey)?.receivedAt else { return nil }
        return picture(in: time...time)
    }

    /// The last key frame of a time; nil if the timelapse has this key frame, or a later one.
    func layerPicture(in times: ClosedRange<Double>) -> VideoPicture? {
        guard let picture = ring.lastKey(in: times), picture.receivedAt > lastLayerAt else { return nil }
        lastLayerAt = picture.receivedAt
        return picture
    }

    /// The last picture before an event; a lost camera sent it some time before the bridge noticed the loss.
    func picture(before time: Double) -> RecordedPicture? { picture(in: time - PictureRing.before...time) }

    /// The pictures of a clip, as far as there are any.
    func clip(ofEventAt time: Double) -> RecordedClip {
        let start = time - PictureRing.before
        let pictures = ring.clip(start...time + PictureRing.after)
        return RecordedClip(pictures: pictures, configuration: configuration, start: start)
    }

    /// Notes the picture before a trouble that has just begun.
    func noteTrouble() {
        guard let times = watch.timesOfTrouble else { return trouble = nil }
        guard trouble?.times != times else { return }
        trouble = picture(in: times).map { (times, $0) }
    }
}

/// A picture of the ring, with the pictures before it that a decoder needs.
struct RecordedPicture: Sendable {
    let coded: CodedPicture
    /// How many pictures come before it.
    var skipped = 0
    /// Seconds of ``Platform/MachineClock``.
    let receivedAt: Double
}

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
