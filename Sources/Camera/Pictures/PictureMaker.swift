import CIsolation
package import CameraProtocols
import Concurrency
import Foundation

/// Makes JPEG pictures and films of what cameras send, with ffmpeg as a child process.
///
/// ffmpeg decodes bytes that anybody in the network may have sent, so it runs as an ``IsolatedProgram``. It gets no address
/// and no secret.
package struct PictureMaker: Sendable {
    /// A width in pixels, and a quality of ffmpeg: 2, the best, to 31.
    private typealias Size = (width: Int, quality: Int)

    package static let byteLimit = 512 << 10

    /// The sizes that are tried, in this order, until a picture is small enough.
    private static let sizes: [Size] = [(1920, 4), (1280, 6), (960, 8), (640, 12)]
    /// The most bytes of a film, and the most pixels of its width.
    private static let filmLimit = (bytes: 64 << 20, width: 1280)
    private static let options = [
        "-hide_banner", "-loglevel", "error", "-nostdin", "-threads", "1", "-protocol_whitelist", "pipe",
    ]

    /// Nil if it is not installed.
    let ffmpeg: IsolatedProgram?
    /// For two pictures and a film: when an access point restarts, all recorded printers lose their cameras in one minute.
    private static let places = WorkPlaces(3)

    package var decodesVideo: Bool { ffmpeg != nil }

    package static var installed: PictureMaker {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let path = folders.split(separator: ":").lazy.map { "\($0)/ffmpeg" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        return PictureMaker(ffmpeg: path.map { IsolatedProgram(path: $0) })
    }

    /// Gives the memory of a picture back to the system at once: in the heaps of several threads it would stay in pieces.
    package static func returnMemory() { _ = mallopt(M_MMAP_THRESHOLD, 1 << 16) }

    /// Starts the decoder, to see whether it runs in its isolation; nil if none is installed.
    package func examineDecoder() async -> (program: String, starts: Bool, gaps: IsolationGaps)? {
        guard let ffmpeg else { return nil }
        let (outcome, gaps) = await ffmpeg.run(["-version"], input: [], limit: Self.byteLimit)
        if case .success = outcome { return (ffmpeg.path, true, gaps) }
        return (ffmpeg.path, false, gaps)
    }

    /// The picture at an eighth of its size; nil if it is damaged, or if nothing here decodes it.
    package func thumbnail(of picture: CodedPicture) async -> Thumbnail? {
        if picture.codec == .mjpeg { return Thumbnail(jpeg: picture.bytes) }
        return (try? await scaled(picture, to: Self.sizes[1])).flatMap { Thumbnail(jpeg: $0) }
    }

    /// Whether a part of a picture cannot be decoded, although the rest may be shown; false if nothing here decodes it.
    ///
    /// Changed bytes that decode to something are not seen.
    package func isTorn(_ picture: CodedPicture) async -> Bool {
        let arguments =
            ["-xerror", "-err_detect", "explode", "-f", picture.codec.demuxer, "-i", "pipe:0"]
            + ["-frames:v", "1", "-f", "null", "pipe:1"]
        do throws(PictureFailure) {
            _ = try await run(arguments, input: [picture.bytes], limit: 1)
            return false
        } catch {
            return error == .undecodable
        }
    }

    /// A film (MP4, H.264) of a movie of JPEG pictures, with their times, which are in 1/90,000 s.
    ///
    /// It can be played while it is still read. `timeLimit` is in seconds.
    package func film(
        of movie: some Sequence<[UInt8]> & Sendable,
        timeLimit: Int = 60
    ) async throws(PictureFailure) -> [UInt8] {
        let arguments =
            ["-f", "mov", "-i", "pipe:0"]
            // With other options, the times of pictures at irregular times are up to 0.1 s off.
            + ["-fps_mode", "passthrough", "-enc_time_base", "1/90000"]
            + ["-vf", "scale=w='min(\(Self.filmLimit.width),iw)':h=-2"]
            + ["-threads", "1", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
            // A key frame for each ten pictures, or players could not seek.
            + ["-bf", "0", "-g", "10", "-crf", "28"]
            + ["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-f", "mp4", "pipe:1"]
        do throws(PictureFailure) {
            return try await run(arguments, input: movie, limit: Self.filmLimit.bytes, timeLimit: timeLimit)
        } catch {
            switch error {
            case .noDecoder: throw .noEncoder
            case .crashed, .timedOut: throw error
            default: throw .noFilm
            }
        }
    }

    /// A JPEG of at most ``byteLimit`` bytes: as it came if the camera sends JPEG, else decoded.
    ///
    /// Of video, `picture` may hold several pictures; the one after `skipped` others is taken.
    package func jpeg(of picture: CodedPicture, after skipped: Int = 0) async throws(PictureFailure) -> [UInt8] {
        if picture.codec == .mjpeg {
            guard JPEGFile.isWhole(picture.bytes) else { throw .undecodable }
            if picture.bytes.count <= Self.byteLimit { return picture.bytes }
            if ffmpeg == nil { throw .noScaler }
        }
        for size in Self.sizes {
            do throws(PictureFailure) {
                return try await scaled(picture, after: skipped, to: size)
            } catch {
                guard error == .tooLarge else { throw error }
            }
        }
        throw .tooLarge
    }

    /// A JPEG of a picture, which is scaled down if it is wider than `size`.
    private func scaled(
        _ picture: CodedPicture,
        after skipped: Int = 0,
        to size: Size
    ) async throws(PictureFailure) -> [UInt8] {
        let arguments =
            ["-f", picture.codec.demuxer, "-i", "pipe:0", "-frames:v", "1"]
            + ["-vf", "select=gte(n\\,\(skipped)),scale=w='min(\(size.width),iw)':h=-2"]
            + ["-q:v", "\(size.quality)", "-f", "mjpeg", "pipe:1"]
        let jpeg = try await run(arguments, input: [picture.bytes], limit: Self.byteLimit)
        guard JPEGFile.isWhole(jpeg) else { throw .undecodable }
        return jpeg
    }

    /// Runs ffmpeg; at most `limit` bytes of its output are read.
    private func run(
        _ arguments: [String],
        input: some Sequence<[UInt8]> & Sendable,
        limit: Int,
        timeLimit: Int? = nil
    ) async throws(PictureFailure) -> [UInt8] {
        guard var ffmpeg else { throw .noDecoder }
        ffmpeg.timeLimit = timeLimit ?? ffmpeg.timeLimit
        return try await Self.places.use { [ffmpeg] () async throws(PictureFailure) in
            try await ffmpeg.run(Self.options + arguments, input: input, limit: limit).outcome.get()
        }
    }
}

extension VideoCodec {
    /// What ffmpeg calls the format of a byte stream in this codec.
    fileprivate var demuxer: String {
        switch self {
        case .h264: "h264"
        case .h265: "hevc"
        case .mjpeg: "mjpeg"
        }
    }
}
