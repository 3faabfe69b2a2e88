import CameraProtocols
import Foundation
import OpenSSL
import TestSupport
import Testing

extension Endpoints {
    @Suite("Trust comes before the password")
    struct TrustTests {
        @Test(
            "Each policy accepts what it should, and nothing is sent to the others",
            arguments: [TestCertificates.Shape.version3, .version1, .expired]
        )
        func policies(_ shape: TestCertificates.Shape) async throws {
            let certificates = try await TestCertificates(shape)
            let server = try await FaultyRTSPServer(["none"], certificates: certificates)
            let url = try streamURL(try #require(server.urls["none"]))
            let fingerprint = try await certificates.fingerprint()
            let (authority, other) = (certificates.authority.path, certificates.otherAuthority.path)
            let serial = TestCertificates.serial
            let unreadable = TrustPolicy.authority(file: authority + ".missing", commonName: serial)
            let current = shape == .expired ? ProbeReason.tlsUntrusted : nil
            let rows: [(TrustPolicy, ProbeReason?)] = [
                (.any, nil),
                (.firstUse(sha256: nil), nil),
                (.firstUse(sha256: fingerprint), nil),
                (.firstUse(sha256: String(repeating: "ab", count: 32)), .certificateChanged),
                (.pinned(sha256: fingerprint), nil),
                (.pinned(sha256: String(repeating: "ab", count: 32)), .certificateChanged),
                (.authority(file: authority, commonName: serial), current),
                (.authority(file: authority, commonName: "another"), .tlsUntrusted),
                (.authority(file: authority, commonName: nil), .tlsUntrusted),
                (.authority(file: other, commonName: serial), .tlsUntrusted),
                (unreadable, .tlsUntrusted),
                (.system, .tlsUntrusted),
            ]
            for (policy, reason) in rows {
                let before = server.events("none").count
                let report = await StreamProbe(trust: policy, deadlines: .generous).run(url)
                #expect(report.failure?.reason == reason, "\(policy): \(report)")
                if policy != unreadable {
                    #expect(report.certificate?.fingerprint == fingerprint, "\(policy): \(report)")
                }
                guard reason != nil else { continue }
                #expect(report.failure?.stage == .tls)
                try await eventually("the server saw the end") {
                    server.events("none").dropFirst(before).first?.count ?? 0 > 1
                }
                let events = server.events("none").dropFirst(before).joined()
                #expect(!events.contains("OPTIONS") && !events.contains("DESCRIBE"), "\(policy): \(Array(events))")
            }
            await server.stop()
        }

        @Test("A printer is called by the serial number that its certificate must have, whatever its address")
        func serverName() async throws {
            let certificates = try await Endpoints.certificates()
            let server = try await FaultyRTSPServer(["name-only"], certificates: certificates)
            let url = try streamURL(try #require(server.urls["name-only"]))
            let local = try StreamURL(parsing: url.revealed().replacing("127.0.0.1", with: "localhost"))
            let trust = TrustPolicy.authority(
                file: certificates.authority.path,
                commonName: TestCertificates.serial
            )
            for url in [url, local] {
                let report = await StreamProbe(trust: trust, deadlines: .generous).run(url)
                #expect(report.isHealthy, "\(report)")
                let nameless = await StreamProbe(deadlines: .generous).run(url)
                #expect(nameless.failure?.reason == .tlsFailed, "\(nameless)")
            }
            await server.stop()
        }

        @Test("TLS 1.2 will do")
        func tls12() async throws {
            let server = try await FaultyRTSPServer(
                ["none"],
                certificates: try await Endpoints.certificates(),
                options: ["--tls12"]
            )
            let report = await StreamProbe(deadlines: .generous).run(try streamURL(try #require(server.urls["none"])))
            #expect(report.isHealthy, "\(report)")
            #expect(report.tlsVersion == "TLSv1.2")
            await server.stop()
        }
    }
}
