import Foundation

/// Real RTSP servers that are not installed everywhere; user name and password are `bblp` and `12345678`.
package final class OtherRTSPServer: Sendable {
    /// Where it listens on 127.0.0.1, for `/streaming/live/1`.
    package let port: Int
    private let process: ChildProcess
    private let directory: TemporaryDirectory

    private init(port: Int, process: ChildProcess, directory: TemporaryDirectory) {
        (self.port, self.process, self.directory) = (port, process, directory)
    }

    /// VLC's server, which takes no TCP transport; Debian: `vlc-bin`, `vlc-plugin-base`.
    package static func vlc() async throws -> OtherRTSPServer {
        let directory = try TemporaryDirectory()
        let video = try await testVideo(in: directory, as: "video.ts")
        let port = try freePort()
        let script = try ServerScript("vlc_rtsp", [video.path, String(port)])
        try await script.process.waitForOutput("ready\n")
        return OtherRTSPServer(port: port, process: script.process, directory: directory)
    }

    package static var hasVLC: Bool { ChildProcess.isInstalled("vlc") && ChildProcess.isInstalled("ffmpeg") }

    /// LIVE555's server, compiled here from its library; with certificates it speaks TLS itself.
    package static func live555(certificates: TestCertificates? = nil) async throws -> OtherRTSPServer {
        guard let prefix = live555Prefix else { throw TestFailure("LIVE555 is not installed") }
        let directory = try TemporaryDirectory()
        let video = try await testVideo(in: directory, as: "video.264")
        let program = directory.file("live555_server")
        let includes = ["liveMedia", "groupsock", "UsageEnvironment", "BasicUsageEnvironment"]
        let libraries = ["liveMedia", "groupsock", "BasicUsageEnvironment", "UsageEnvironment", "ssl", "crypto"]
        try await ChildProcess.run(
            "c++",
            ["-std=c++20", "-o", program.path, serverFile("live555_server.cpp"), "-L\(prefix)/lib"]
                + includes.map { "-I\(prefix)/include/\($0)" } + libraries.map { "-l\($0)" }
        )
        let port = try freePort()
        var arguments = [video.path, String(port)]
        if let certificates { arguments += [certificates.chain.path, certificates.key.path] }
        let process = try ChildProcess(program.path, arguments, log: directory.file("log"))
        try await process.waitForOutput("ready\n")
        return OtherRTSPServer(port: port, process: process, directory: directory)
    }

    /// Whether LIVE555's library is there; where it is packaged: `liblivemedia-dev`.
    package static var hasLIVE555: Bool {
        live555Prefix != nil && ChildProcess.isInstalled("c++") && ChildProcess.isInstalled("ffmpeg")
    }

    private static var live555Prefix: String? {
        ["/usr", "/usr/local"].first {
            FileManager.default.fileExists(atPath: $0 + "/include/liveMedia/liveMedia.hh")
        }
    }

    /// Half a minute of test picture, 320 × 240.
    private static func testVideo(in directory: TemporaryDirectory, as name: String) async throws -> URL {
        let file = directory.file(name)
        let format = name.hasSuffix(".264") ? "h264" : "mpegts"
        let encoder = ["-c:v", "libx264", "-profile:v", "baseline", "-preset", "ultrafast", "-g", "15"]
        try await ChildProcess.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=15", "-t", "30", "-pix_fmt", "yuv420p"]
                + encoder + ["-f", format, file.path]
        )
        return file
    }
}
