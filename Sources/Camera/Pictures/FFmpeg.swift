import CameraProtocols
import Foundation

/// Makes JPEG pictures of what cameras send, with ffmpeg as a child process.
///
/// ffmpeg decodes bytes that anybody in the network may have sent, so it runs as an ``IsolatedProgram``. It gets no address
/// and no secret.
struct FFmpeg: Sendable {
    private static let options = [
        "-hide_banner", "-loglevel", "error", "-nostdin", "-threads", "1", "-protocol_whitelist", "pipe",
    ]

    var program: IsolatedProgram

    static func installed(path: String? = ProcessInfo.processInfo.environment["PATH"]) -> FFmpeg? {
        let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/ffmpeg" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
            .map { FFmpeg(program: IsolatedProgram(path: $0)) }
    }

    /// Decodes a picture, and encodes it as a JPEG file of at most `limit` bytes.
    ///
    /// A wider picture is scaled to `width` pixels. `quality` is 2, the best, to 31. Of several pictures in `picture`, the one
    /// after `skipped` others is taken.
    func jpeg(
        of picture: CodedPicture,
        after skipped: Int = 0,
        width: Int,
        quality: Int,
        limit: Int
    ) async throws(PictureFailure) -> [UInt8] {
        let arguments =
            Self.options + [
                "-f", picture.codec.demuxer, "-i", "pipe:0", "-frames:v", "1",
                "-vf", "select=gte(n\\,\(skipped)),scale=w='min(\(width),iw)':h=-2",
            ]
            + ["-q:v", "\(quality)", "-f", "mjpeg", "pipe:1"]
        let jpeg = try await run(arguments, input: [picture.bytes], limit: limit)
        guard JPEGFile.isWhole(jpeg) else { throw .undecodable }
        return jpeg
    }

    /// Decodes a picture; throws ``PictureFailure/undecodable`` if a part of it is damaged.
    func verify(_ picture: CodedPicture) async throws(PictureFailure) {
        let arguments =
            Self.options + ["-xerror", "-err_detect", "explode"]
            + ["-f", picture.codec.demuxer, "-i", "pipe:0", "-frames:v", "1", "-f", "null", "pipe:1"]
        _ = try await run(arguments, input: [picture.bytes], limit: 1)
    }

    /// Makes a film (MP4, H.264) of JPEG pictures in a Matroska file, with their times.
    ///
    /// With `rate`, it shows so many pictures a second instead. Wider pictures are scaled to `width` pixels. It can be played
    /// while it is still read.
    func film(
        of matroska: some Sequence<[UInt8]> & Sendable,
        rate: UInt32? = nil,
        width: Int,
        limit: Int
    ) async throws(PictureFailure) -> [UInt8] {
        let times = rate.map { ",settb=1/\($0),setpts=N" } ?? ""
        let arguments =
            Self.options + ["-f", "matroska", "-i", "pipe:0"]
            // With other options, the times of pictures at irregular times are up to 0.1 s off.
            + ["-fps_mode", "passthrough", "-enc_time_base", "1/\(rate ?? 1000)"]
            + [
                "-vf", "scale=w='min(\(width),iw)':h=-2" + times, "-threads", "1", "-c:v", "libx264", "-preset",
                "ultrafast", "-pix_fmt", "yuv420p",
            ]
            // A key frame for each ten pictures, or players could not seek.
            + ["-bf", "0", "-g", "10", "-crf", "28"]
            + ["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-f", "mp4", "pipe:1"]
        var film = self
        film.program.timeLimit = rate == nil ? 60 : 600
        return try await film.run(arguments, input: matroska, limit: limit)
    }

    private func run(
        _ arguments: [String],
        input: some Sequence<[UInt8]> & Sendable,
        limit: Int
    ) async throws(PictureFailure) -> [UInt8] {
        try await program.run(arguments, input: input, limit: limit).outcome.get()
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
