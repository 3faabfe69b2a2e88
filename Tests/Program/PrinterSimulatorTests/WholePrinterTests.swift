import Foundation
import TestSupport
import Testing

@testable import PrinterSimulator

@Suite("A whole simulated printer")
struct WholePrinterTests {
    /// The shape of the certificate: its version, who signed it, and how many are sent.
    static let shapes: [(SimulatedModel, version: Int, issuer: String, count: Int)] = [
        (.x1c, 1, "Simulated CA", 1), (.p1s, 1, "Simulated CA", 1), (.a1Mini, 1, "Simulated CA", 2),
        (.h2d, 3, "Simulated Device CA", 1), (.p2s, 3, "Simulated Device CA", 1),
    ]

    @Test(arguments: shapes)
    func `A printer has a certificate in the shape of its model, which its authorities prove`(
        model: SimulatedModel,
        version: Int,
        issuer: String,
        count: Int
    ) async throws {
        let authority = try SimulatedAuthority()
        let serial = model.serial(1)
        let made = try authority.certificate(of: serial, model)
        #expect(made.certificatePEM.components(separatedBy: "BEGIN CERTIFICATE").count - 1 == count)
        let folder = try TemporaryDirectory()
        let (leaf, authorities) = (folder.file("leaf.pem"), folder.file("ca.pem"))
        try made.certificatePEM.write(to: leaf, atomically: true, encoding: .utf8)
        try authority.pem.write(to: authorities, atomically: true, encoding: .utf8)
        let text = try await ChildProcess.run("openssl", ["x509", "-in", leaf.path, "-noout", "-text"])
        #expect(text.contains("Version: \(version) "))
        #expect(text.contains("Subject: CN = \(serial)\n") && text.contains("Issuer: CN = \(issuer)\n"))
        #expect(!text.contains("Alternative Name"))
        let proof = try await ChildProcess.run("openssl", ["verify", "-CAfile", authorities.path, leaf.path])
        #expect(proof.contains("OK"))
    }
}
