import Foundation

/// Real servers of pictures over HTTP, none of which needs a device; user name and password are `bblp` and `12345678`.
package final class MJPEGServer: Sendable {
    package let port: Int
    package let process: ChildProcess

    private init(port: Int, process: ChildProcess) {
        (self.port, self.process) = (port, process)
        EndingTrait.atEnd { [self] in await stop() }
    }

    package func stop() async { await process.stop(SIGKILL) }

    /// µStreamer, which sends a picture that says 'no signal' while its device is missing; Debian: `ustreamer`.
    ///
    /// Its paths are `/stream` and `/snapshot`. With `hasLogin` it asks for Basic.
    package static func ustreamer(hasLogin: Bool) async throws -> MJPEGServer {
        let directory = try TemporaryDirectory()
        let port = try freePort()
        let login = hasLogin ? ["--user", "bblp", "--passwd", "12345678"] : []
        let process = try ChildProcess(
            "ustreamer",
            ["--device", directory.file("missing").path, "--host", "127.0.0.1", "--port", "\(port)"] + login,
            log: directory.file("log"),
            keeping: directory
        )
        try await process.waitForOutput("Starting HTTP eventloop")
        return MJPEGServer(port: port, process: process)
    }

    /// motion, which reads a file in the place of a camera; Debian: `motion`.
    ///
    /// Its paths are `/` and `/current`. It hangs up while it has no picture yet.
    package static func motion(
        _ authentication: ServerAuthentication,
        certificates: TestCertificates? = nil
    ) async throws -> MJPEGServer {
        let directory = try TemporaryDirectory()
        let port = try freePort()
        let video = directory.file("video.mp4")
        let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=10"]
        try await ChildProcess.run("ffmpeg", source + ["-t", "60", "-preset", "ultrafast", video.path])
        var options = [
            "daemon off", "log_level 6", "target_dir \(directory.url.path)", "netcam_url file://\(video.path)",
            "width 320", "height 240", "framerate 10", "stream_port \(port)", "stream_localhost on",
            "stream_maxrate 10",
            "movie_output off", "picture_output off", "webcontrol_port 0",
            "stream_auth_method \(["none": 0, "basic": 1, "digest": 2][authentication.rawValue] ?? 0)",
        ]
        if authentication != .none { options.append("stream_authentication bblp:12345678") }
        if let certificates {
            options += ["stream_tls on", "webcontrol_cert \(certificates.chain.path)"]
            options.append("webcontrol_key \(certificates.key.path)")
        }
        let file = directory.file("motion.conf")
        try options.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        let log = directory.file("log")
        let process = try ChildProcess("motion", ["-n", "-c", file.path], log: log, keeping: directory)
        return MJPEGServer(port: port, process: process)
    }
}
