internal import COpenSSL
internal import Synchronization

/// Judges certificates for one `SSL_CTX`, which owns it: OpenSSL calls it in the place of its own chain verification.
final class TrustVerifier: Sendable {
    let policy: TrustPolicy
    /// Sent as SNI by libraries that know only an address; see ``TLSContext/client(trust:identity:host:maximumVersion:)``.
    let serverNameIndication: String?
    /// Of connections that have no ``VerificationOutcome`` of their own.
    let last = Mutex<TLSVerification?>(nil)

    init(policy: TrustPolicy, serverNameIndication: String?) {
        self.policy = policy
        self.serverNameIndication = serverNameIndication
    }

    /// Returns 1 to go on with the handshake, 0 to end it with the alert that belongs to the store's error.
    func verify(_ store: OpaquePointer) -> Int32 {
        let leaf = X509_STORE_CTX_get0_cert(store)
        let report = leaf.flatMap { try? CertificateReport(x509: $0) }
        let outcome = VerificationOutcome.attached(to: store)
        let failure = judge(store, report, by: outcome?.trust ?? policy)
        let verification = TLSVerification(certificate: report, failure: failure)
        if let outcome {
            outcome.value = verification
        } else {
            last.withLock { $0 = verification }
        }
        return failure == nil ? 1 : 0
    }

    private func judge(
        _ store: OpaquePointer,
        _ report: CertificateReport?,
        by policy: TrustPolicy
    ) -> TLSFailure? {
        guard let report else {
            X509_STORE_CTX_set_error(store, X509_V_ERR_UNSPECIFIED)
            return TLSFailure(code: .untrusted, message: "the certificate cannot be read")
        }
        switch policy {
        case .any, .pinned(sha256: nil):
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return nil
        case .pinned(let expected?):
            return judgePin(store, report, expected: expected)
        case .system, .authority(_, commonName: nil):
            return judgeChain(store, report, namesHost: true)
        case .authority(_, let commonName?):
            if let failure = judgeChain(store, report, namesHost: false) { return failure }
            guard report.commonName != commonName else { return nil }
            X509_STORE_CTX_set_error(store, X509_V_ERR_HOSTNAME_MISMATCH)
            let found = report.commonName.map { "“\($0)”" } ?? "none"
            return TLSFailure(
                code: .untrusted,
                message: "the certificate's common name is \(found), not “\(commonName)”",
                certificate: report
            )
        }
    }

    private func judgePin(_ store: OpaquePointer, _ report: CertificateReport, expected: String) -> TLSFailure? {
        let wanted = expected.lowercased().filter { $0 != ":" }
        guard wanted != report.fingerprint else {
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return nil
        }
        X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED)
        return TLSFailure(
            code: .certificateChanged(expected: wanted),
            message: "the certificate's SHA-256 is \(report.fingerprint), not the pinned \(wanted)",
            certificate: report
        )
    }

    private func judgeChain(_ store: OpaquePointer, _ report: CertificateReport, namesHost: Bool) -> TLSFailure? {
        if namesHost, !Self.hasName(X509_STORE_CTX_get0_param(store)) {
            X509_STORE_CTX_set_error(store, X509_V_ERR_HOSTNAME_MISMATCH)
            return TLSFailure(
                code: .untrusted,
                message: "there is no host name to compare the certificate with",
                certificate: report
            )
        }
        ERR_clear_error()
        let accepted = X509_verify_cert(store)
        ERR_clear_error()  // the reason is in the store's error; leftovers would look like errors of TLS
        guard accepted != 1 else { return nil }
        let code = X509_STORE_CTX_get_error(store)
        if code == X509_V_OK { X509_STORE_CTX_set_error(store, X509_V_ERR_UNSPECIFIED) }
        let depth = X509_STORE_CTX_get_error_depth(store)
        let reason = X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? "code \(code)"
        let place = depth > 0 ? " (at depth \(depth) of its chain)" : ""
        return TLSFailure(
            code: .untrusted,
            message: "the certificate is not trusted: \(reason)\(place)",
            certificate: report
        )
    }

    private static func hasName(_ parameters: OpaquePointer?) -> Bool {
        guard let parameters else { return false }
        if X509_VERIFY_PARAM_get0_host(parameters, 0) != nil { return true }
        guard let address = X509_VERIFY_PARAM_get1_ip_asc(parameters) else { return false }
        CRYPTO_free(address, nil, 0)
        return true
    }
}
