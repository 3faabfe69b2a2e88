import Foundation
import OpenSSL
package import Printers
package import TestSupport

extension VendorChains {
    /// The authorities of these chains, of which no file is kept yet; that of devices only where its fingerprint is known.
    package func authorities(in directory: TemporaryDirectory, knowsDevice: Bool = false) throws -> VendorAuthorities {
        var known = [try authority("BBL CA", nil, "ca"), try authority("BBL CA2 ECC", nil, "ca2")]
        if knowsDevice { known.append(try authority("BBL Device CA T1-V2", "T1", "device")) }
        return VendorAuthorities(file: directory.file("authorities.pem").path, known: known)
    }

    private func authority(_ name: String, _ models: String?, _ file: String) throws -> VendorAuthorities.Authority {
        .init(name, models, try CertificateReport(pem: pem(file)).fingerprint)
    }
}
