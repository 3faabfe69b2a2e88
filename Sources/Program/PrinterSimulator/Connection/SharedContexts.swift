internal import OpenSSL
internal import Synchronization

/// One TLS context for each certificate, however many printers show it.
enum SharedContexts {
    private static let known = Mutex<[String: TLSContext]>([:])

    static func context(
        for certificate: SelfSignedCertificate,
        maximumVersion: TLSVersion? = nil
    ) throws(TLSFailure) -> TLSContext {
        let key = certificate.fingerprint + (maximumVersion == nil ? "" : " limited")
        if let context = known.withLock({ $0[key] }) { return context }
        let context = try TLSContext.server(
            certificatePEM: certificate.certificatePEM,
            keyPEM: certificate.keyPEM,
            maximumVersion: maximumVersion
        )
        known.withLock { $0[key] = context }
        return context
    }
}
