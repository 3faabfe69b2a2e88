import Foundation
import RTSP
import Subprocess

/// Makes JPEG pictures of what cameras send, with ffmpeg as a child process.
///
/// The child reads a pipe and writes a pipe. It gets no address, no secret and no network protocol, may write no file, and
/// is ended after ``timeLimit`` or beyond ``memoryLimit``.
struct FFmpeg: Sendable {
    /// The most address space of the child, in KiB.
    static let memoryLimit = 1 << 20
    /// Sets the limits; `$0` is the program, `$1` the seconds of processor time.
    private static let script = """
        ulimit -c 0; ulimit -f 0; ulimit -v \(memoryLimit); ulimit -t "$1"; shift; exec "$0" "$@"
        """

    /// A child that ends before it has read its input makes a write fail with EPIPE, and must not end this process.
    ///
    /// libmosquitto ignores SIGPIPE as well.
    private static let ignoresSIGPIPE: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    private static let options = [
        "-hide_banner", "-loglevel", "error", "-nostdin", "-threads", "1", "-protocol_whitelist", "pipe",
    ]

    /// The path of the program.
    let program: String
    /// The most seconds for one picture.
    var timeLimit = 10

    /// Finds the program in `PATH`; nil if it is not installed.
    static func installed(path: String? = ProcessInfo.processInfo.environment["PATH"]) -> FFmpeg? {
        let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/ffmpeg" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
            .map { FFmpeg(program: $0) }
    }

    /// Decodes a picture, and encodes it as JPEG.
    ///
    /// - Parameters:
    ///   - picture: What the camera sent.
    ///   - width: The width to scale to if it is larger, in pixels.
    ///   - quality: From 2, the best, to 31.
    ///   - limit: The most bytes of the JPEG that are read.
    /// - Returns: A JPEG file.
    /// - Throws: Why there is none.
    func jpeg(
        of picture: CodedPicture,
        width: Int,
        quality: Int,
        limit: Int
    ) async throws(PictureFailure) -> [UInt8] {
        let arguments =
            Self.options + [
                "-f", picture.codec.demuxer, "-i", "pipe:0", "-frames:v", "1", "-vf", "scale=w='min(\(width),iw)':h=-2",
            ]
            + ["-q:v", "\(quality)", "-f", "mjpeg", "pipe:1"]
        let jpeg = try await run(arguments, input: picture.bytes, limit: limit)
        guard JPEGFile.isWhole(jpeg) else { throw .undecodable }
        return jpeg
    }

    /// Decodes a picture without hiding what is damaged.
    ///
    /// - Throws: ``PictureFailure/undecodable`` if a part of it is.
    func verify(_ picture: CodedPicture) async throws(PictureFailure) {
        let arguments =
            Self.options + ["-xerror", "-err_detect", "explode"]
            + ["-f", picture.codec.demuxer, "-i", "pipe:0", "-frames:v", "1", "-f", "null", "pipe:1"]
        _ = try await run(arguments, input: picture.bytes, limit: 1)
    }

    /// The mean brightness, from 0 to 255, of each of 16 × 9 areas of a picture.
    func brightness(of jpeg: [UInt8]) async throws(PictureFailure) -> [UInt8] {
        let arguments =
            Self.options + ["-f", "mjpeg", "-i", "pipe:0", "-vf", "scale=16:9:flags=area,format=gray"]
            + ["-frames:v", "1", "-f", "rawvideo", "pipe:1"]
        return try await run(arguments, input: jpeg, limit: 16 * 9)
    }

    /// Runs the program within ``timeLimit``.
    private func run(_ arguments: [String], input: [UInt8], limit: Int) async throws(PictureFailure) -> [UInt8] {
        let result = await withTaskGroup { group in
            group.addTask { await start(arguments, input: input, limit: limit) }
            group.addTask {
                try? await Task.sleep(for: .seconds(timeLimit))
                return .failure(.timedOut)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.timedOut)
        }
        return try result.get()
    }

    private func start(
        _ arguments: [String],
        input: [UInt8],
        limit: Int
    ) async -> Result<[UInt8], PictureFailure> {
        _ = Self.ignoresSIGPIPE
        var options = PlatformOptions()
        options.teardownSequence = [.send(signal: .kill, allowedDurationToNextStep: .zero)]
        do {
            let result = try await Subprocess.run(
                .name("sh"),
                arguments: Arguments(["-c", Self.script, program, "\(timeLimit)"] + arguments),
                environment: .custom(["PATH": "/usr/bin:/bin"]),
                platformOptions: options,
                input: .inputWriter,
                output: .bytes(limit: limit),
                error: .discarded
            ) { execution in
                // A child that ends early leaves input unread. The pipe has to be closed all the same: swift-subprocess
                // 1.0.2 traps on one that is not.
                _ = try? await execution.standardInputWriter.write(input)
                try? await execution.standardInputWriter.finish()
            }
            let output = result.standardOutput
            return result.terminationStatus.isSuccess ? .success(output) : .failure(failure)
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            return .failure(.tooLarge)
        } catch {
            return .failure(failure)
        }
    }

    /// Why the program failed: it may have been removed while the bridge runs.
    private var failure: PictureFailure {
        FileManager.default.isExecutableFile(atPath: program) ? .undecodable : .noDecoder
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
