import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite("PEM files are read to their end")
struct PEMFileTests {
    private static func certificate() throws -> SelfSignedCertificate { try .make(commonName: "a") }

    @Test func `A damaged certificate anywhere in a file is a fault, and comments are not`() throws {
        let directory = try TemporaryDirectory()
        let (one, two) = (try Self.certificate().certificatePEM, try Self.certificate().certificatePEM)
        let damaged = two.replacing("MII", with: "MIJ")
        let rows: [(String, isGood: Bool)] = [
            (one, true), (one + two, true), ("# comment\n" + one + "\nmore words\n" + two + "end\n", true),
            (damaged, false), (one + damaged, false), (damaged + one, false), (one + two.dropLast(40), false),
            ("", false),
            ("words", false), (try Self.certificate().keyPEM, false),
        ]
        for (index, (text, isGood)) in rows.enumerated() {
            let file = directory.file("\(index).pem")
            try text.write(to: file, atomically: true, encoding: .utf8)
            let fault = PEMFile.faultInCertificates(file.path)
            #expect((fault == nil) == isGood, "row \(index): \(fault ?? "no fault")")
            #expect(fault?.hasPrefix("must hold certificates in PEM") != false)
        }
        #expect(PEMFile.faultInCertificates(directory.file("none").path) != nil)
    }

    @Test func `A server's chain with a damaged certificate is refused, not shortened`() throws {
        let (leaf, issuer) = (try Self.certificate(), try Self.certificate().certificatePEM)
        let damaged = leaf.certificatePEM + issuer.replacing("MII", with: "MIJ")
        #expect(throws: Never.self) {
            try TLSContext.server(certificatePEM: leaf.certificatePEM + issuer, keyPEM: leaf.keyPEM)
        }
        let failure = #expect(throws: TLSFailure.self) {
            try TLSContext.server(certificatePEM: damaged, keyPEM: leaf.keyPEM)
        }
        #expect(failure?.code == .configuration)
    }

    @Test func `A key is told from what is none`() throws {
        let directory = try TemporaryDirectory()
        let made = try Self.certificate()
        for (text, isGood) in [
            (made.keyPEM, true), (made.certificatePEM, false), (String(made.keyPEM.dropLast(40)), false),
        ] {
            let file = directory.file("key.pem")
            try text.write(to: file, atomically: true, encoding: .utf8)
            #expect((PEMFile.faultInKey(file.path) == nil) == isGood)
        }
    }
}
