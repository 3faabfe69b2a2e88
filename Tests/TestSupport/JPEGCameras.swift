/// Cameras that send JPEG pictures over TLS, each fault on its own port; `jpeg_camera.py --help` lists them.
///
/// User name and password are `bblp` and `12345678`.
package final class JPEGCameras: Sendable {
    private let script: ServerScript

    package init(_ faults: [String], certificates: TestCertificates) async throws {
        let arguments = faults.flatMap { ["--fault", $0] }
        script = try await ServerScript("jpeg_camera", arguments, certificates: certificates)
    }

    package func port(_ fault: String) throws -> Int { try script.port(fault) }

    /// What clients did with `fault`, one list of events for each connection.
    ///
    /// `accept`, `login`, and how the client ended it: `close_notify`, `fin`, `reset`.
    package func events(_ fault: String) -> [[String]] { script.events(fault) }
}
