/// The part of go2rtc's HTTP API that keeps streams.
public final class Go2RTCServer: Sendable {
    /// Its port on 127.0.0.1.
    public let port: Int
    private let script: ServerScript

    /// Starts it and waits until it listens.
    public init() async throws {
        let script = try ServerScript("go2rtc_api", [])
        try await script.process.waitForOutput("ready ")
        guard let port = script.lines("ready").first?.first.flatMap({ Int($0) }) else {
            throw TestFailure(script.process.output)
        }
        self.port = port
        self.script = script
    }

    /// All its streams as JSON, since the last change.
    public var streams: String { lines.last { $0.hasPrefix("{") }.map(String.init) ?? "" }

    /// How many pictures it was asked for.
    public var pictureCount: Int { lines.count { $0.hasPrefix("picture ") } }

    private var lines: [Substring] { script.process.output.split(separator: "\n") }

    /// Ends it.
    public func stop() async { await script.process.stop() }
}
