import Foundation

/// stunnel in front of a server that speaks no TLS: OpenSSL's TLS, whatever the server is.
package final class Stunnel: Sendable {
    package let port: Int
    private let process: ChildProcess

    /// `options` are further lines of its configuration, such as `sslVersionMax = TLSv1.2`.
    package init(to target: Int, certificates: TestCertificates, options: [String] = []) async throws {
        let directory = try TemporaryDirectory()
        let port = try freePort()
        let lines =
            ["foreground = yes", "pid =", "[rtsp]", "accept = 127.0.0.1:\(port)", "connect = 127.0.0.1:\(target)"]
            + ["cert = \(certificates.chain.path)", "key = \(certificates.key.path)"] + options
        let file = directory.file("stunnel.conf")
        try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        process = try ChildProcess("stunnel4", [file.path], log: directory.file("log"), keeping: directory)
        try await process.waitForOutput("Configuration successful")
        self.port = port
    }

    package static var isInstalled: Bool { ChildProcess.isInstalled("stunnel4") }
}
