import Foundation
import OpenSSL
import PrinterSamples
import TestSupport
import Testing

@testable import Printers

@Suite("The vendor's authorities")
struct VendorAuthoritiesTests {
    private let directory: TemporaryDirectory
    private let chains: VendorChains
    private let authorities: VendorAuthorities

    init() async throws {
        directory = try TemporaryDirectory()
        chains = try await VendorChains.shared
        authorities = try chains.authorities(in: directory, knowsDevice: true)
    }

    private static func fingerprint(_ chains: VendorChains, _ name: String) throws -> String {
        try CertificateReport(pem: chains.pem(name)).fingerprint
    }

    private var keptNames: [String] {
        get throws {
            let files = try ["ca", "ca2", "device", "new-device"].map { ($0, try Self.fingerprint(chains, $0)) }
            return authorities.kept.map { kept in
                files.first { $0.1 == kept.report.fingerprint }?.0 ?? kept.report.subject
            }
        }
    }

    @Test func `Known authorities and device authorities that a known root signed are kept once each`() throws {
        func pem(_ names: String...) throws -> String { try names.map(chains.pem).joined(separator: "\n") }
        let damaged = try pem("ca").replacing("MI", with: "MJ")
        let rows: [(String, text: String, kept: [String])] = [
            ("the vendor's file", try pem("ca", "ca2"), ["ca", "ca2"]),
            ("with the line ends of Windows", try pem("ca", "ca2").replacing("\n", with: "\r\n"), ["ca", "ca2"]),
            ("with words around", "# Caf\u{e9}\n" + (try pem("ca")) + "the end", ["ca"]),
            ("a device authority alone", try pem("device"), ["device"]),
            ("a new series below a known root", try pem("new-device", "ca2"), ["new-device", "ca2"]),
            ("a new series without its root", try pem("new-device", "ca"), ["ca"]),
            ("a forged device authority with its root", try pem("forged-device", "forged-ca", "ca2"), ["ca2"]),
            ("an authority for programs", try pem("application", "ca"), ["ca"]),
            ("strangers", try pem("other-ca", "expired-ca", "ca"), ["ca"]),
            ("a printer's certificate", try pem("leaf-v1", "ca"), ["ca"]),
            ("twice", try pem("ca", "ca"), ["ca"]),
            ("a damaged one before a good one", damaged + "\n" + (try pem("ca2")), ["ca2"]),
            ("one that has no end", try pem("ca2") + "-----BEGIN CERTIFICATE-----\nMIIB", ["ca2"]),
            ("a key beside it", try String(contentsOfFile: chains.path("ec-key"), encoding: .utf8) + pem("ca"), ["ca"]),
        ]
        for (title, text, kept) in rows {
            try? FileManager.default.removeItem(atPath: authorities.file)
            try authorities.keep(text.utf8, from: "it")
            #expect(try keptNames == kept, "\(title)")
        }
    }

    @Test func `What was kept stays, and a text without an authority of the vendor's changes nothing`() throws {
        try authorities.keep(chains.pem("ca").utf8, from: "it")
        #expect(authorities.missing(in: authorities.kept).map(\.name) == ["BBL CA2 ECC", "BBL Device CA T1-V2"])
        try authorities.keep(chains.pem("ca2").utf8, from: "it")
        // Its root was kept before.
        try authorities.keep(chains.pem("new-device").utf8, from: "it")
        #expect(try keptNames == ["ca", "ca2", "new-device"])
        let before = try Data(contentsOf: URL(fileURLWithPath: authorities.file))
        for text in ["", "nothing", try chains.pem("forged-ca"), try chains.pem("forged-device")] {
            let fault = #expect(throws: AuthoritiesFault.self) { try authorities.keep(text.utf8, from: "the file") }
            #expect(fault?.description == "the file holds no certificate of the vendor's authorities")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: authorities.file)) == before)
        // The same again is no fault.
        try authorities.keep(chains.pem("ca").utf8, from: "it")
        #expect(try keptNames == ["ca", "ca2", "new-device"])
    }

    @Test func `A file that somebody changed is read through the same filter`() throws {
        try ["forged-device", "forged-ca", "ca"].map(chains.pem).joined().write(
            toFile: authorities.file,
            atomically: true,
            encoding: .utf8
        )
        #expect(try keptNames == ["ca"])
        #expect(!authorities.hasNoRoot)
        try chains.pem("device").write(toFile: authorities.file, atomically: true, encoding: .utf8)
        #expect(authorities.hasNoRoot)
    }

    @Test func `A folder that cannot be written is named`() throws {
        let known = [try VendorAuthorities.Authority("BBL CA", nil, Self.fingerprint(chains, "ca"))]
        let nowhere = VendorAuthorities(file: "/proc/nowhere/authorities.pem", known: known)
        let fault = #expect(throws: AuthoritiesFault.self) { try nowhere.keep(chains.pem("ca").utf8, from: "it") }
        #expect(fault?.description.contains("/proc/nowhere/authorities.pem can't be written") == true)
    }

    @Test func `Three roots and three device authorities are known, and none signed a test certificate`() throws {
        let known = VendorAuthorities.bambuLab
        #expect(known.filter { $0.models == nil }.map(\.name) == ["BBL CA", "BBL CA2 RSA", "BBL CA2 ECC"])
        #expect(Set(known.map(\.fingerprint)).count == 6)
        #expect(known.allSatisfy { CertificatePin.normalized($0.fingerprint) == $0.fingerprint })
        let real = VendorAuthorities(file: directory.file("real.pem").path)
        #expect(throws: AuthoritiesFault.self) { try real.keep(chains.pem("ca").utf8, from: "it") }
    }
}
