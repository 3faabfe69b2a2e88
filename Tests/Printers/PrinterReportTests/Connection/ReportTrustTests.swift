import Cameras
import Foundation
import OpenSSL
import PrinterSamples
import PrinterSimulator
import StoredSettings
import TestSupport
import Testing

@testable import PrinterReport
@testable import Printers

@Suite("The trust in a printer's MQTT", .timeLimit(.minutes(5)))
struct ReportTrustTests {
    struct Row: Sendable {
        var leaf: VendorChains.Leaf
        var pin: CertificatePin?
        /// Why no code is sent; nil if the printer is proven.
        var problem: ReportProblem?
    }

    @Test(arguments: [
        Row(leaf: .version1), Row(leaf: .alone), Row(leaf: .renewed, pin: .firstSeen("5a")),
        Row(leaf: .forged, problem: .serverUnproven), Row(leaf: .unknownIssuer, problem: .serverUnproven),
        Row(leaf: .otherPrinter, problem: .otherPrinter),
        Row(leaf: .version1, pin: .accepted(String(repeating: "5a", count: 32)), problem: .serverUnproven),
    ])
    func `A printer's MQTT gets the access code only if authority and serial number prove it`(row: Row) async throws {
        let chains = try await VendorChains.shared
        let directory = try TemporaryDirectory()
        let authorities = try chains.authorities(in: directory)
        try authorities.keep(["ca", "ca2", "device"].map(chains.pem).joined().utf8, from: "the test")
        let certificate = try SelfSignedCertificate(
            certificatePEM: chains.pem(row.leaf),
            keyPEM: chains.key(of: row.leaf)
        )
        let printer = try await SimulatedReports.start(
            serial: reportSerial,
            SimulatedReports.Behavior(accessCode: "12345678", report: sampleReport),
            certificate: certificate
        )
        let settings: [String: JSONValue] = [
            "printer_ip": "127.0.0.1", "serial": .string(VendorChains.serial), "access_code": .secret("12345678"),
            "model": "p1s",
        ]
        let configuration = PrinterSettings.Snapshot(values: settings)
        let camera = CameraRecord(.init(endpoint: "127.0.0.1:322", pin: row.pin))
        let rule = PrinterTrust(authorities: authorities)
        var target = try #require(ReportTarget(configuration, camera: camera, rule: rule))
        target.port = printer.port
        let result = await PrinterConnection.open(target, ReportLedger(), logger: quietLogger) { _ in true }
        #expect(result == row.problem.map { .failure($0) } ?? .success(true))
        #expect(printer.counts.connections == (row.problem == nil ? 1 : 0) && printer.counts.refusals == 0)
        await printer.stop()
    }
}
