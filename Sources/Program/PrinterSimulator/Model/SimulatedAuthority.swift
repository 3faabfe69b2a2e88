package import OpenSSL

package struct SimulatedAuthority: Sendable {
    /// Signs the certificates of X1, P1 and A1 printers, and ``device``.
    package let root: SelfSignedCertificate
    /// Signs the certificates of all newer printers, which do not send it.
    package let device: SelfSignedCertificate

    /// Uses the certificates that `keep` returns for a name; `keep` may call its closure to make a new one.
    package init(
        keeping keep: (String, () throws -> SelfSignedCertificate) throws -> SelfSignedCertificate = { try $1() }
    ) throws {
        let root = try keep("root") { try .make(commonName: "Simulated CA", form: .authority) }
        device = try keep("device") { try .make(commonName: "Simulated Device CA", form: .authority, issuer: root) }
        self.root = root
    }

    package var pem: String { root.certificatePEM + device.certificatePEM }

    /// A new certificate of a printer: X1 and P1 send it alone, A1 with the root, newer printers without their authority.
    package func certificate(of serial: String, _ model: SimulatedModel) throws(OpenSSLError) -> SelfSignedCertificate {
        guard model.series != .n else { return try .make(commonName: serial, issuer: device) }
        let leaf = try SelfSignedCertificate.make(commonName: serial, form: .version1, issuer: root)
        let chain = leaf.certificatePEM + (model.series == .a ? root.certificatePEM : "")
        return try SelfSignedCertificate(certificatePEM: chain, keyPEM: leaf.keyPEM)
    }
}
