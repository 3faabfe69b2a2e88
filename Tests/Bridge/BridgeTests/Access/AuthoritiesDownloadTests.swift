import Foundation
import OpenSSL
import PrinterSamples
import Printers
import TestSupport
import Testing

@testable import Bridge

@Suite("The download of the vendor's authorities", .timeLimit(.minutes(5)))
struct AuthoritiesDownloadTests {
    private static let server = """
        import http.server, ssl, sys
        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = {"/good": open(sys.argv[3], "rb").read(), "/none": b"nothing", "/big": b"x" * 70000}.get(self.path)
                self.send_response(302 if self.path == "/moved" else 200 if body else 404)
                self.send_header("Location", "/good")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(f"port {server.server_port}", flush=True)
        server.serve_forever()
        """

    @Test func `A download is bounded and from a proven server; a failed one keeps the old authorities`() async throws {
        let (chains, identity) = (try await VendorChains.shared, try await TestCertificates(.loopback))
        let directory = try TemporaryDirectory()
        let arguments = ["-c", Self.server, identity.chain.path, identity.key.path, chains.path("ca")]
        let server = try ChildProcess("python3", arguments, log: directory.file("log"))
        try await server.waitForOutput("port ")
        let port = try #require(server.output.firstMatch(of: /port (\d+)/)).1
        let authorities = try chains.authorities(in: directory)
        let proof = TrustPolicy.authority(file: identity.authority.path, commonName: nil)
        let rows: [(address: String, trust: TrustPolicy, fault: String?)] = [
            ("https://127.0.0.1:\(port)/good", .system, "the download failed: the certificate is not trusted"),
            ("https://127.0.0.1:\(port)/none", proof, "holds no certificate of the vendor's"),
            ("https://127.0.0.1:\(port)/good", proof, nil),
            ("https://127.0.0.1:\(port)/none", proof, "holds no certificate of the vendor's"),
            ("https://127.0.0.1:\(port)/big", proof, "larger than"),
            ("https://127.0.0.1:\(port)/moved", proof, "answers with status 302"),
            ("https://127.0.0.1:\(port)/else", proof, "answers with status 404"),
            ("http://127.0.0.1:\(port)/good", proof, "must begin with https://"),
            ("file:///etc/passwd", proof, "must begin with https://"),
            ("https://127.0.0.1:\(try freePort())/good", proof, "the download failed: no connection to"),
        ]
        var isKept = false
        for (address, trust, expected) in rows {
            var fault: AuthoritiesFault?
            do {
                try await authorities.download(from: address, trust: trust)
                isKept = true
            } catch let error as AuthoritiesFault { fault = error }
            let said = fault?.description ?? ""
            #expect(expected.map { said.contains($0) } ?? said.isEmpty, "\(address), \(said)")
            #expect(authorities.kept.isEmpty == !isKept, "\(address)")
        }
        _ = await server.stop()
    }
}
