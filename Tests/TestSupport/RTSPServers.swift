import Foundation

/// The path of a file of this target's `Servers` folder.
func serverFile(_ name: String) throws -> String {
    guard let folder = Bundle.module.resourceURL else { throw TestFailure("the test resources are missing") }
    return folder.appending(path: "Servers/\(name)").path
}

/// A script of this target's `Servers` folder, run by the system's Python, the one that has GStreamer's bindings.
struct ServerScript: Sendable {
    let process: ChildProcess
    // Holds the log until the script is gone.
    private let directory: TemporaryDirectory

    init(_ name: String, _ arguments: [String]) throws {
        directory = try TemporaryDirectory()
        process = try ChildProcess(
            "/usr/bin/python3",
            ["-u", try serverFile("\(name).py")] + arguments,
            log: directory.file("\(name).log")
        )
        EndingTrait.atEnd { [self] in await process.stop() }
    }

    /// Runs a script with servers, with TLS if there are certificates, and waits until all of them listen.
    init(
        _ name: String,
        _ arguments: [String],
        certificates: TestCertificates?,
        ready: String = "ready\n"
    ) async throws {
        let tls = certificates.map { ["--cert", $0.chain.path, "--key", $0.key.path] } ?? []
        try self.init(name, arguments + tls)
        try await process.waitForOutput(ready)
    }

    /// Where each of its servers listens: `ready NAME ADDRESS`.
    var addresses: [String: String] {
        Dictionary(lines("ready").filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    /// The port in the address of a server; throws if there is no such server.
    func port(_ name: String) throws -> Int {
        let parts = addresses[name]?.split { "/:".contains($0) } ?? []
        guard let port = parts.lazy.compactMap({ Int($0) }).first else { throw TestFailure("there is no \(name)") }
        return port
    }

    /// The lines that begin with `word`, split at spaces, without that word.
    func lines(_ word: String) -> [[String]] {
        process.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            .filter { $0.first == word }
            .map { Array($0.dropFirst()) }
    }

    /// The events that the script logged for `fault`, one list for each connection.
    func events(_ fault: String) -> [[String]] {
        var connections: [String: [String]] = [:]
        for line in lines("log") where line.count >= 3 && line[0] == fault {
            connections[line[1], default: []].append(line[2])
        }
        return connections.sorted { (Int($0.key) ?? 0) < (Int($1.key) ?? 0) }.map(\.value)
    }
}

/// How a test server asks for the password.
package enum ServerAuthentication: String, CaseIterable, Sendable {
    case none
    /// The password itself.
    case basic
    /// MD5 without `qop`, as LIVE555 does.
    case digest
}

/// GStreamer's RTSP server: protocol code that is not ours.
package final class GStreamerRTSPServer: Sendable {
    /// `rtsps://127.0.0.1:port/streaming/live/1`, without user name and password (`bblp`, `12345678`).
    package let url: String
    package var process: ChildProcess { script.process }
    private let script: ServerScript

    /// Starts it with further options of the script, such as `--codec h265`.
    package init(
        _ authentication: ServerAuthentication = .digest,
        certificates: TestCertificates?,
        options: [String] = []
    ) async throws {
        let arguments = ["--auth", authentication.rawValue] + options
        script = try await ServerScript("gstreamer_rtsp", arguments, certificates: certificates, ready: "ready ")
        guard let url = script.lines("ready").first?.first else { throw TestFailure(script.process.output) }
        self.url = url
    }

    package func stop() async { await process.stop() }
}

/// RTSP endpoints that misbehave on request, each fault on its own port; `faulty_rtsp.py --help` lists them.
package final class FaultyRTSPServer: Sendable {
    /// The address of each fault, without user name and password (`bblp`, `12345678`).
    package let urls: [String: String]
    package var process: ChildProcess { script.process }
    private let script: ServerScript

    /// Starts one for each fault with further options of the script, of which `authentication` is `--auth`.
    package init(
        _ faults: [String],
        authentication: String = "digest",
        certificates: TestCertificates?,
        options: [String] = []
    ) async throws {
        let arguments = ["--auth", authentication] + faults.flatMap { ["--fault", $0] } + options
        script = try await ServerScript("faulty_rtsp", arguments, certificates: certificates)
        urls = script.addresses
    }

    /// The address of a fault; throws if it was not asked for.
    package func url(_ fault: String) throws -> String {
        guard let url = urls[fault] else { throw TestFailure("there is no \(fault)") }
        return url
    }

    package func port(_ fault: String) throws -> Int { try script.port(fault) }

    /// What clients did with `fault`, one list of events for each connection.
    ///
    /// `accept`, methods, and how the client ended it: `close_notify`, `fin`, `reset`.
    package func events(_ fault: String) -> [[String]] { script.events(fault) }

    package func stop() async { await process.stop() }
}

/// GStreamer's RTSP client, which views a stream.
package final class GStreamerViewer: Sendable {
    package var process: ChildProcess { script.process }
    private let script: ServerScript

    package init(_ url: String, codec: String = "h264") throws {
        script = try ServerScript("gstreamer_viewer", [url, codec])
    }

    /// How many pictures have come.
    package var pictures: Int { script.lines("picture").count }

    package func stop() async { await process.stop() }
}
