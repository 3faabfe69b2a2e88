import Foundation

/// go2rtc itself, where it is installed; killed when the test ends.
public final class Go2RTCProgram: Sendable {
    /// What to do where ``isInstalled`` is false.
    public static let advice = "needs go2rtc in the path, of https://github.com/AlexxIT/go2rtc/releases"
    /// Whether it can be started.
    public static let isInstalled: Bool = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/go2rtc") }

    /// Where its API listens on 127.0.0.1.
    public let port: Int
    /// Where viewers find its streams on 127.0.0.1.
    public let rtspPort: Int
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    /// Starts it, and waits until it listens.
    public init() async throws {
        (port, rtspPort) = (try freePort(), try freePort())
        directory = try TemporaryDirectory()
        let file = directory.file("go2rtc.yaml")
        let configuration = """
            api: {listen: "127.0.0.1:\(port)"}
            rtsp: {listen: "127.0.0.1:\(rtspPort)"}
            webrtc: {listen: ""}
            """
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        process = try ChildProcess("go2rtc", ["-config", file.path], log: directory.file("log"))
        try await process.waitForOutput("[api] listen")
    }

    /// All its streams with their viewers, as JSON.
    public func streams() async throws -> String {
        let reader = try ChildProcess(
            "/usr/bin/python3",
            ["-c", "import urllib.request as r, sys; print(r.urlopen(sys.argv[1]).read().decode())"]
                + ["http://127.0.0.1:\(port)/api/streams"],
            log: directory.file(UUID().uuidString)
        )
        _ = await reader.exitStatus()
        return reader.output
    }

    /// Ends it.
    public func stop() async { await process.stop() }
}
