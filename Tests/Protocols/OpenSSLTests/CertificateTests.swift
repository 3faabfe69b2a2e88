import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite("Certificates")
struct CertificateTests {
    @Test func `Certificates of our own say what was asked for`() throws {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let end = Date(timeIntervalSince1970: 2_600_000_000)  // beyond UTCTime's 2049
        let made = try SelfSignedCertificate.make(
            commonName: "Drücker 3",
            alternativeNames: ["DNS:a.test"],
            validity: start...end
        )
        let report = try CertificateReport(pem: made.certificatePEM)
        #expect(report.fingerprint == made.fingerprint)
        #expect(report.commonName == "Drücker 3")
        #expect(report.subject == "CN=Drücker 3" && report.issuer == report.subject)
        #expect(report.notBefore == start && report.notAfter == end)
        #expect(report.validity(at: start - 1) == .notYetValid && report.validity(at: end + 1) == .expired)
        #expect(report.validity(at: start) == .valid && report.validity(at: end) == .valid)
        #expect(!"\(made)".contains("PRIVATE"))
        _ = try TLSContext.server(certificatePEM: made.certificatePEM, keyPEM: made.keyPEM)
    }

    @Test func `Certificates of a server may have any number for a version`() throws {
        // Long, so that its lengths have two bytes.
        let name = "DNS:" + String(repeating: "a", count: 250)
        let made = try SelfSignedCertificate.make(commonName: "a", alternativeNames: [name])
        let lines = made.certificatePEM.split(separator: "\n").filter { !$0.hasPrefix("-") }
        var der = try #require(Data(base64Encoded: lines.joined()))
        // The version, with two more lengths before it that count it: of the certificate and of what is signed.
        let version = try #require(der.range(of: Data([0xA0, 3, 2, 1, 2])))
        der.replaceSubrange(version, with: [0xA0, 10, 2, 8, 0x7F] + [UInt8](repeating: 0xFF, count: 7))
        for place in [2, 6] {
            let length = Int(der[place]) << 8 + Int(der[place + 1]) + 7
            der.replaceSubrange(place..<place + 2, with: [UInt8(length >> 8), UInt8(length & 0xFF)])
        }
        let pem = "-----BEGIN CERTIFICATE-----\n\(der.base64EncodedString(options: .lineLength64Characters))"
        let report = try CertificateReport(pem: pem + "\n-----END CERTIFICATE-----\n")
        #expect(report.commonName == "a")
    }

    @Test func `Certificates differ each time, and name what is wrong with a subject`() throws {
        let first = try SelfSignedCertificate.make(commonName: "same")
        let second = try SelfSignedCertificate.make(commonName: "same")
        #expect(first.fingerprint != second.fingerprint && first.keyPEM != second.keyPEM)
        let failure = #expect(throws: OpenSSLError.self) {
            try SelfSignedCertificate.make(commonName: String(repeating: "x", count: 65))
        }
        #expect(failure?.description.contains("string too long") == true)
        #expect(failure?.operation == "X509_NAME_add_entry_by_txt")
    }

    @Test func `Certificates come back from their PEM text, together only with their key`() throws {
        let made = try SelfSignedCertificate.make(commonName: "a")
        let other = try SelfSignedCertificate.make(commonName: "a")
        let kept = try SelfSignedCertificate(certificatePEM: made.certificatePEM, keyPEM: made.keyPEM)
        #expect(kept.fingerprint == made.fingerprint)
        for (certificate, key) in [(made.certificatePEM, other.keyPEM), ("", made.keyPEM), (made.certificatePEM, "")] {
            #expect(throws: OpenSSLError.self) { try SelfSignedCertificate(certificatePEM: certificate, keyPEM: key) }
        }
        var dumped = ""
        dump(made, to: &dumped)
        #expect(!dumped.contains("PRIVATE"))
    }

    @Test func `Certificates cannot put control characters into a log`() throws {
        let made = try SelfSignedCertificate.make(commonName: "ä\n\u{1B}[31mb,c\u{9B}2J\u{202E}d")
        let report = try CertificateReport(pem: made.certificatePEM)
        #expect(report.subject == #"CN=ä\0A\1B[31mb\,c?2J?d"# && report.issuer == report.subject)
        #expect(report.commonName == "ä ?[31mb,c?2J?d")
    }

    @Test func `Certificates by the openssl program are read alike`() async throws {
        let (chains, serial) = (try await VendorChains.shared, VendorChains.serial)
        let v1 = try CertificateReport(pem: chains.pem(.version1))
        #expect(v1.commonName == serial && v1.issuer == "CN=BBL CA,O=BBL Technologies Co. Ltd,C=CN")
        let two = try CertificateReport(pem: chains.pem(.twoNames))
        #expect(two.commonName == nil && two.subject == "CN=\(serial),CN=\(serial)")
        #expect(try CertificateReport(pem: chains.pem(.withIssuer)).issuer.hasPrefix("CN=BBL Device CA T1-V2,"))
        #expect(throws: OpenSSLError.self) { try CertificateReport(pem: "no certificate") }
    }

    @Test func `Certificates that do not fit are refused with a reason`() async throws {
        let chains = try await VendorChains.shared
        let leaf = try chains.pem(.version1)
        let key = try chains.key(of: .version1)
        let other = try chains.pem("ca-key")
        for (certificate, key, reason) in [
            (leaf, other, "does not belong"), ("", key, "certificate cannot be used"), (leaf, "", "key cannot be read"),
        ] {
            let failure = #expect(throws: TLSFailure.self) {
                try TLSContext.server(certificatePEM: certificate, keyPEM: key)
            }
            #expect(failure?.code == .configuration && failure?.message.contains(reason) == true, "\(failure as Any)")
        }
        for file in ["/nonexistent/ca.pem", chains.path("rsa-key")] {
            let failure = #expect(throws: TLSFailure.self) {
                try TLSContext.client(trust: .authority(file: file, commonName: nil))
            }
            #expect(failure?.message.contains(file) == true)
        }
        #expect(throws: TLSFailure.self) {
            try TLSIdentity(certificateFile: chains.path("leaf-v1"), keyFile: "/nonexistent/key.pem")
        }
        let identity = try TLSIdentity(certificateFile: chains.path("leaf-v1"), keyFile: chains.path("rsa-key"))
        _ = try TLSContext.client(trust: .any, identity: identity)
        var dumped = ""
        dump(identity, to: &dumped)
        #expect(!dumped.contains("PRIVATE") && !"\(identity)".contains("PRIVATE"))
    }
}

@Suite("The name of a certificate")
struct CertificateNameTests {
    @Test(arguments: [
        ("00M00A000000001", "00M00A000000001", true), ("00M00A000000001", "00m00a000000001", false),
        ("A\u{1}B", "A?B", false), ("A\u{1}B", "A\u{1}B", true), ("\u{e9}", "e\u{301}", false),
        ("e\u{301}", "e\u{301}", true), ("A ", "A", false), ("A", "", false),
    ])
    func `A certificate's name is compared by bytes, not by displayed or similar-looking text`(
        _ name: String,
        _ expected: String,
        _ isNamed: Bool
    ) throws {
        let report = try CertificateReport(pem: SelfSignedCertificate.make(commonName: name).certificatePEM)
        #expect(report.isNamed(expected) == isNamed)
    }
}
