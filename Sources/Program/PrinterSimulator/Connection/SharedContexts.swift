internal import OpenSSL
internal import Synchronization

/// One TLS context for each certificate in use, however many printers show it.
enum SharedContexts {
    private struct Entry {
        weak let context: TLSContext?
    }

    private static let known = Mutex<[String: Entry]>([:])

    static func context(
        for certificate: SelfSignedCertificate,
        maximumVersion: TLSVersion? = nil
    ) throws(TLSFailure) -> TLSContext {
        let key = certificate.fingerprint + (maximumVersion == nil ? "" : " limited")
        let found = known.withLock { $0[key]?.context }
        if let found { return found }
        let made = try TLSContext.server(
            certificatePEM: certificate.certificatePEM,
            keyPEM: certificate.keyPEM,
            maximumVersion: maximumVersion
        )
        known.withLock { known in
            if known.count > 64 { known = known.filter { $0.value.context != nil } }
            known[key] = Entry(context: made)
        }
        return made
    }
}
