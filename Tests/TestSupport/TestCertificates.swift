package import Foundation
package import OpenSSL

/// Certificates, shaped like the ones of cameras unless said otherwise: the serial is the common name, there is no
/// subjectAltName.
package final class TestCertificates: Sendable {
    package enum Shape: String, Sendable {
        /// X.509 v3, signed by the authority of ``TestCertificates/authority``.
        case version3
        /// X.509 v1 without extensions, signed by the same.
        case version1
        /// Of version 1, and expired.
        case expired
        /// Of version 3, for servers at 127.0.0.1 and for their clients; without a common name.
        case loopback
        /// The same, and expired.
        case expiredLoopback
        /// The same, for a server at `broker.example`.
        case elsewhere
    }

    /// The common name of the leaf.
    package static let serial = "00M00A000000001"

    /// The leaf certificate (PEM).
    package let chain: URL
    package let key: URL
    /// The certificate of the authority that signed it.
    package let authority: URL
    /// An authority that has nothing to do with it.
    package let otherAuthority: URL
    private let directory: TemporaryDirectory

    /// Makes new ones with the `openssl` program.
    package init(_ shape: Shape = .version3) async throws {
        directory = try TemporaryDirectory()
        chain = directory.file("leaf.pem")
        key = directory.file("leaf-key.pem")
        authority = directory.file("ca.pem")
        otherAuthority = directory.file("other-ca.pem")
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        for name in ["ca", "other-ca"] {
            try await openssl(
                ["req", "-x509", "-days", "3650", "-subj", "/O=Test/CN=\(name)", "-out", file("\(name).pem")]
                    + ["-keyout", file("\(name)-key.pem")] + newKey
            )
        }
        let server = [.loopback: "IP:127.0.0.1", .expiredLoopback: "IP:127.0.0.1", .elsewhere: "DNS:broker.example"][
            shape
        ]
        let subject = server == nil ? "/CN=\(Self.serial)" : "/O=Test"
        try await openssl(["req", "-subj", subject, "-out", file("leaf.csr"), "-keyout", key.path] + newKey)
        let extensions = directory.file("leaf.ext")
        let name = server.map { "subjectAltName=\($0)\n" } ?? ""
        try Data("subjectKeyIdentifier=hash\n\(name)".utf8).write(to: extensions)
        var arguments = ["x509", "-req", "-in", file("leaf.csr"), "-CA", authority.path, "-CAkey", file("ca-key.pem")]
        arguments += ["-CAcreateserial", "-out", chain.path]
        arguments += ["-days", [.expired, .expiredLoopback].contains(shape) ? "-1" : "3650"]
        if ![.version1, .expired].contains(shape) { arguments += ["-extfile", extensions.path] }
        try await openssl(arguments)
    }

    /// The leaf's SHA-256, lower-case hexadecimal.
    package func fingerprint() async throws -> String {
        let output = try await openssl(["x509", "-in", chain.path, "-noout", "-fingerprint", "-sha256"])
        return (output.split(separator: "=").last ?? "").filter(\.isHexDigit).lowercased()
    }

    package func serverContext() throws -> TLSContext {
        try .server(
            certificatePEM: String(contentsOf: chain, encoding: .utf8),
            keyPEM: String(contentsOf: key, encoding: .utf8)
        )
    }

    private func file(_ name: String) -> String { directory.file(name).path }

    @discardableResult
    private func openssl(_ arguments: [String]) async throws -> String {
        try await ChildProcess.run("openssl", arguments)
    }
}
