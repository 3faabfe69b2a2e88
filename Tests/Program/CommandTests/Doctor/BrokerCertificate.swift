import Foundation
import TestSupport

/// A broker's certificate for 127.0.0.1, with the authority that signed it.
final class BrokerCertificate: Sendable {
    let directory: TemporaryDirectory
    var authority: URL { directory.file("ca.pem") }
    var chain: URL { directory.file("broker.pem") }
    var key: URL { directory.file("broker-key.pem") }

    /// Makes one with the `openssl` program.
    ///
    /// - Parameters:
    ///   - name: What it is for, as in a subjectAltName.
    ///   - days: How long it is valid; -1 for one that has expired.
    /// - Throws: When `openssl` fails.
    init(for name: String = "IP:127.0.0.1", days: Int = 30) async throws {
        directory = try TemporaryDirectory()
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try await openssl(
            ["req", "-x509", "-days", "3650", "-subj", "/CN=Test authority", "-out", authority.path]
                + ["-keyout", file("ca-key.pem")] + newKey
        )
        try await openssl(["req", "-subj", "/CN=\(name)", "-out", file("csr"), "-keyout", key.path] + newKey)
        try Data("subjectAltName=\(name)\n".utf8).write(to: directory.file("ext"))
        try await openssl(
            ["x509", "-req", "-in", file("csr"), "-CA", authority.path, "-CAkey", file("ca-key.pem")]
                + ["-CAcreateserial", "-out", chain.path, "-days", "\(days)", "-extfile", file("ext")]
        )
    }

    private func file(_ name: String) -> String { directory.file(name).path }

    private func openssl(_ arguments: [String]) async throws {
        let child = try ChildProcess("openssl", arguments, log: directory.file("openssl.log"))
        guard await child.exitStatus() == 0 else { throw TestFailure("openssl \(arguments): \(child.output)") }
    }
}
