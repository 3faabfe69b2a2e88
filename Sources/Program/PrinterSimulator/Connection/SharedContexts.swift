internal import OpenSSL
internal import Synchronization

/// One TLS context for each certificate in use, however many printers show it.
enum SharedContexts {
    private struct Entry {
        weak let context: TLSContext?
    }

    private static let known = Mutex<[String: Entry]>([:])

    static func context(for certificate: SelfSignedCertificate) throws(TLSFailure) -> TLSContext {
        let found = known.withLock { $0[certificate.fingerprint]?.context }
        if let found { return found }
        let made = try TLSContext.server(certificatePEM: certificate.certificatePEM, keyPEM: certificate.keyPEM)
        known.withLock { known in
            if known.count > 64 { known = known.filter { $0.value.context != nil } }
            known[certificate.fingerprint] = Entry(context: made)
        }
        return made
    }
}
