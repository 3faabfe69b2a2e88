import Foundation
package import OpenSSL

/// The vendor's authorities: their fingerprints are known, and the certificates are kept in one file for all printers.
package struct VendorAuthorities: Sendable {
    package struct Authority: Sendable, Hashable {
        package var name: String
        /// The models whose certificates it signs; nil for a root.
        package var models: String?
        /// The SHA-256 of its certificate (DER), 64 lower-case digits.
        package var fingerprint: String

        package init(_ name: String, _ models: String?, _ fingerprint: String) {
            (self.name, self.models, self.fingerprint) = (name, models, fingerprint)
        }
    }

    package static let bambuLab = [
        Authority("BBL CA", nil, "030bca81cece18b7eff3cfd2b75d09d3efca893bc069609e37fa04257fe4d840"),
        Authority("BBL CA2 RSA", nil, "e98f19578b3f124ace6b8a247ffeda52dc99c89fd4e7d20c82829977b7f33502"),
        Authority("BBL CA2 ECC", nil, "1f99d846718c8d333ac319cb8e70919ab63236090fbadde909ba4a6f0867a683"),
        Authority("BBL Device CA N7-V2", "P2S", "6a854d546ed6e3ce7a2112657e53f4555374413e6f5cb55f995d1ddd7c06dc69"),
        Authority("BBL Device CA O1C2-V2", "H2C", "ce667b6c001d26c34ed97333fb6099699409fc3d4e12429c37baebb05c46c60a"),
        Authority("BBL Device CA N6-V2", "X2D", "68bf3182bc32d5a5454f864928abaa291941f6d5ac6a86a0e5ad6ecfe2d5477b"),
    ]

    /// The vendor's own file, in the repository of its slicer.
    package static let published =
        "https://raw.githubusercontent.com/bambulab/BambuStudio/master/resources/cert/printer.cer"

    /// The most bytes of a file with authorities.
    package static let sizeLimit = 64 << 10
    /// The names of the issuers of printers' certificates: this one, and those that begin with ``devicePrefix``.
    static let deviceIssuer = "BBL CA"
    static let devicePrefix = "BBL Device CA "

    /// Whether the vendor's authority is named as the issuer, as RFC 2253 writes names; this proves nothing.
    package static func isIssuer(_ name: String) -> Bool {
        let parts = name.split(separator: ",")
        return parts.contains { $0 == "CN=\(deviceIssuer)" || $0.hasPrefix("CN=\(devicePrefix)") }
    }

    package let file: String
    package var source = Self.published
    private let known: [Authority]

    /// The authorities whose certificates are kept at a path, where there may be no file yet.
    package init(file: String, known: [Authority] = bambuLab) { (self.file, self.known) = (file, known) }

    private var roots: Set<String> { Set(known.lazy.filter { $0.models == nil }.map(\.fingerprint)) }

    func proof(of serial: String) -> DeviceCertificate {
        DeviceCertificate(
            file: file,
            roots: roots,
            issuers: [Self.deviceIssuer],
            issuerPrefix: Self.devicePrefix,
            commonName: serial
        )
    }

    package var kept: [Certificate] {
        let content = (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()
        return trusted(in: Certificate.all(in: String(decoding: content, as: UTF8.self)))
    }

    package func missing(in kept: [Certificate]) -> [Authority] {
        known.filter { authority in !kept.contains { $0.report.fingerprint == authority.fingerprint } }
    }

    package var hasNoRoot: Bool { !kept.contains { roots.contains($0.report.fingerprint) } }

    /// The certificates that are known by their fingerprints, or that a known root has signed for devices; each once.
    func trusted(in certificates: [Certificate]) -> [Certificate] {
        let fingerprints = Set(known.map(\.fingerprint))
        let roots = certificates.filter { self.roots.contains($0.report.fingerprint) }
        var found: [Certificate] = []
        for certificate in certificates where !found.contains(certificate) {
            let isForDevices = certificate.report.commonName?.utf8.starts(with: Self.devicePrefix.utf8) == true
            if fingerprints.contains(certificate.report.fingerprint)
                || isForDevices && roots.contains(where: certificate.isSigned)
            {
                found.append(certificate)
            }
        }
        return found
    }

    /// Keeps the trusted ones among the certificates of a PEM text, beside those that are kept already.
    ///
    /// Throws ``AuthoritiesFault``, and leaves the file as it was, if the text has none, or if the file can't be written.
    package func keep(_ pem: some Sequence<UInt8>, from source: String) throws {
        let (before, given) = (kept, Certificate.all(in: String(decoding: Array(pem), as: UTF8.self)))
        let all = trusted(in: before + given)
        guard all.contains(where: given.contains) else {
            throw AuthoritiesFault("\(source) holds no certificate of the vendor's authorities")
        }
        do {
            try Data(all.map(\.pem).joined().utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw AuthoritiesFault("\(file) can't be written: check the folder's owner and its free space")
        }
    }
}

package struct AuthoritiesFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence, without its full stop.
    package let description: String

    package init(_ description: String) { self.description = description }
}
