import CameraProtocols
import Foundation
import TestSupport
import Testing

extension Endpoints {
    @Suite("Authentication against a server that checks it strictly")
    struct AuthenticationTests {
        static let schemes = [
            "none", "basic", "digest", "digest-qop", "digest-sha256", "digest-sess", "digest-int", "both", "all",
        ]

        @Test(arguments: schemes)
        func `The strongest scheme on offer is used, on one connection, to the end`(_ scheme: String) async throws {
            let certificates = try await Endpoints.certificates()
            let server = try await FaultyRTSPServer(["none"], authentication: scheme, certificates: certificates)
            let trust = TrustPolicy.pinned(sha256: try await certificates.fingerprint())
            let url = try streamURL(try #require(server.urls["none"]))
            let report = await StreamProbe(depth: .media, trust: trust, deadlines: .generous).run(url)
            #expect(report.isHealthy, "\(report)")
            let wrong = try streamURL(try #require(server.urls["none"]), password: "wrong")
            let refused = await StreamProbe(trust: trust, deadlines: .generous).run(wrong)
            #expect(refused.failure?.reason == (scheme == "none" ? nil : .unauthorized))
            try await eventually("the server saw both ends") { server.events("none").count { $0.last == "fin" } == 2 }
            let describes = scheme == "none" ? 1 : 2
            for events in server.events("none") {
                #expect(
                    events.count { $0 == "DESCRIBE" } == describes,
                    "a refused password is not tried again: \(events)"
                )
            }
        }

        @Test
        func `A printer's TLS server name is its certificate's serial number, whatever its address`() async throws {
            let certificates = try await Endpoints.certificates()
            let server = try await FaultyRTSPServer(["name-only"], certificates: certificates)
            let url = try streamURL(try #require(server.urls["name-only"]))
            let local = try StreamURL(parsing: url.revealed().replacing("127.0.0.1", with: "localhost"))
            let trust = TrustPolicy.authority(file: certificates.authority.path, commonName: TestCertificates.serial)
            for url in [url, local] {
                let report = await StreamProbe(trust: trust, deadlines: .generous).run(url)
                #expect(report.isHealthy, "\(report)")
                #expect((report.latencies[.dns] != nil) == (url == local))
                let nameless = await StreamProbe(deadlines: .generous).run(url)
                #expect(nameless.failure?.reason == .tlsFailed, "\(nameless)")
            }
        }
    }
}
