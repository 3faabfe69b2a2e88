import CameraProtocols
import Foundation
import OpenSSL
import TestSupport
import Testing

extension Endpoints {
    @Suite("Trust comes before the password")
    struct TrustTests {
        @Test
        func `A printer's TLS server name is its certificate's serial number, whatever its address`() async throws {
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
    }
}
