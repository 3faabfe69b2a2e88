import Foundation

/// Cameras that send JPEG pictures over TLS, each fault on its own port; `jpeg_camera.py --help` lists them.
package final class JPEGCameras: Sendable {
    /// The port of each fault on 127.0.0.1; user name and password are `bblp` and `12345678`.
    package let ports: [String: Int]
    private let script: ServerScript

    /// Starts them and waits until all of them listen.
    ///
    /// - Parameters:
    ///   - faults: The names.
    ///   - certificates: For TLS.
    /// - Throws: ``TestFailure`` when they do not start.
    package init(_ faults: [String], certificates: TestCertificates) async throws {
        var arguments = faults.flatMap { ["--fault", $0] }
        arguments += ["--cert", certificates.chain.path, "--key", certificates.key.path]
        let script = try ServerScript("jpeg_camera", arguments)
        try await script.process.waitForOutput("ready\n")
        let ready = script.lines("ready").filter { $0.count == 2 }
        ports = Dictionary(ready.map { ($0[0], Int($0[1].split(separator: ":").last ?? "") ?? 0) }) { $1 }
        self.script = script
    }

    /// The port of a fault; throws if it was not asked for.
    package func port(_ fault: String) throws -> Int {
        guard let port = ports[fault] else { throw TestFailure("there is no \(fault)") }
        return port
    }

    /// What clients did with `fault`, one list of events for each connection.
    ///
    /// `accept`, `login`, and how the client ended it: `close_notify`, `fin`, `reset`.
    package func events(_ fault: String) -> [[String]] { script.events(fault) }
}
