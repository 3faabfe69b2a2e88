import Foundation
import OpenSSL
import TestSupport

/// A certificate for 127.0.0.1 and localhost in files, as a broker wants it.
struct Certificates: Sendable {
    let directory: TemporaryDirectory
    let fingerprint: String
    let identity: TLSIdentity
    var chain: URL { directory.file("certificate.pem") }
    var key: URL { directory.file("key.pem") }

    init(names: [String] = ["DNS:localhost", "IP:127.0.0.1"]) throws {
        directory = try TemporaryDirectory()
        let certificate = try SelfSignedCertificate.make(commonName: "broker", alternativeNames: names)
        fingerprint = certificate.fingerprint
        identity = TLSIdentity(certificatePEM: certificate.certificatePEM, keyPEM: certificate.keyPEM)
        try certificate.certificatePEM.write(to: chain, atomically: true, encoding: .utf8)
        try certificate.keyPEM.write(to: key, atomically: true, encoding: .utf8)
    }

    /// Broker options that use it.
    var options: MosquittoBroker.Options {
        var options = MosquittoBroker.Options()
        options.certificate = (chain, key)
        return options
    }
}
