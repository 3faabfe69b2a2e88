import Foundation
import OpenSSL

/// A simulated printer's certificate that stays over restarts: the bridge would report a new one as changed.
enum KeptCertificate {
    /// The certificate in a file, with its key; made at the first time.
    static func read(_ file: String, orMake make: () throws -> SelfSignedCertificate) throws -> SelfSignedCertificate {
        // Certificate and key in one file: a crash leaves both or none.
        if try PrivateFile.read(file) == nil {
            let made = try make()
            try PrivateFile.create(file, made.certificatePEM + made.keyPEM)
        }
        let pem = try PrivateFile.read(file) ?? ""
        let certificates = pem.range(of: "-----BEGIN PRIVATE KEY").map { String(pem[..<$0.lowerBound]) }
        return try SelfSignedCertificate(certificatePEM: certificates ?? pem, keyPEM: pem)
    }
}
