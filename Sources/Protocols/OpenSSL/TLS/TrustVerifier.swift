internal import COpenSSL

/// Judges the certificate of one connection: OpenSSL calls it in the place of its own chain verification.
///
/// A ``TLSSession``, or the `SSL` itself, owns it to the end.
final class TrustVerifier {
    let policy: TrustPolicy
    /// The peer's certificate, once it has sent one.
    private(set) var certificate: CertificateReport?
    /// Why the certificate was rejected; nil as long as it was not.
    private(set) var failure: TLSFailure?
    /// Whether the certificate was accepted as a proof of who the peer is.
    private(set) var isPeerProven = false

    init(policy: TrustPolicy) { self.policy = policy }

    private static let index = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil, nil)

    func attach(to ssl: OpaquePointer) throws(OpenSSLError) {
        let address = Unmanaged.passUnretained(self).toOpaque()
        try OpenSSLError.check(SSL_set_ex_data(ssl, Self.index, address), "SSL_set_ex_data")
    }

    static func attached(to store: OpaquePointer) -> TrustVerifier? {
        guard let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let address = SSL_get_ex_data(OpaquePointer(ssl), index)
        else { return nil }
        return Unmanaged<TrustVerifier>.fromOpaque(address).takeUnretainedValue()
    }

    /// Returns 1 to go on with the handshake, 0 to end it with the alert that belongs to the store's error.
    func verify(_ store: OpaquePointer) -> Int32 {
        let leaf = X509_STORE_CTX_get0_cert(store)
        certificate = leaf.flatMap { try? CertificateReport(x509: $0) }
        if let certificate {
            failure = judge(store, certificate, by: policy)
        } else {
            failure = refused(store, X509_V_ERR_UNSPECIFIED, "the certificate cannot be read")
        }
        if failure != nil { isPeerProven = false }
        return failure == nil ? 1 : 0
    }

    private func judge(_ store: OpaquePointer, _ report: CertificateReport, by policy: TrustPolicy) -> TLSFailure? {
        isPeerProven = policy.provesServer
        switch policy {
        case .any, .firstUse(sha256: nil):
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return nil
        case .pinned(let expected), .firstUse(let expected?):
            return judgePin(store, report, expected: expected)
        case .system, .authority(_, commonName: nil):
            return judgeChain(store, namesHost: true)
        case .authority(_, let commonName?):
            if let failure = judgeChain(store, namesHost: false) { return failure }
            return judgeName(store, report, expected: commonName)
        case .device(let device, let otherwise):
            let failure = judgeDevice(store, report, device)
            isPeerProven = failure == nil
            guard let failure, let otherwise, failure.detail != .forged || otherwise.isPin else { return failure }
            return judge(store, report, by: otherwise)
        case .named(let expected):
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return judgeName(store, report, expected: expected)
        }
    }

    func judgeName(_ store: OpaquePointer, _ report: CertificateReport, expected: String) -> TLSFailure? {
        guard !report.isNamed(expected) else { return nil }
        let found = report.commonName.map { "“\($0)”" } ?? "none"
        let message = "the certificate's common name is \(found), not “\(expected)”"
        return refused(store, X509_V_ERR_HOSTNAME_MISMATCH, message, as: .otherName)
    }

    private func judgePin(_ store: OpaquePointer, _ report: CertificateReport, expected: String) -> TLSFailure? {
        let wanted = expected.lowercased().filter { $0 != ":" }
        guard wanted != report.fingerprint else {
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return nil
        }
        let message = "the certificate's SHA-256 is \(report.fingerprint), not the pinned \(wanted)"
        return refused(store, X509_V_ERR_CERT_REJECTED, message, as: .certificateChanged(expected: wanted))
    }

    func judgeChain(_ store: OpaquePointer, namesHost: Bool) -> TLSFailure? {
        if namesHost, !Self.hasName(X509_STORE_CTX_get0_param(store)) {
            let message = "there is no host name to compare the certificate with"
            return refused(store, X509_V_ERR_HOSTNAME_MISMATCH, message)
        }
        ERR_clear_error()
        let accepted = X509_verify_cert(store)
        ERR_clear_error()  // the reason is in the store's error; leftovers would look like errors of TLS
        guard accepted != 1 else { return nil }
        let code = X509_STORE_CTX_get_error(store)
        let depth = X509_STORE_CTX_get_error_depth(store)
        let reason = X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? "code \(code)"
        let place = depth > 0 ? " (at depth \(depth) of its chain)" : ""
        let error = code == X509_V_OK ? X509_V_ERR_UNSPECIFIED : code
        return refused(store, error, "the certificate is not trusted: \(reason)\(place)", Self.detail(of: code))
    }

    /// A refusal, with the error whose alert ends the handshake.
    func refused(
        _ store: OpaquePointer,
        _ error: Int32,
        _ message: String,
        _ detail: TLSFailure.Detail? = nil,
        as code: TLSFailure.Code = .untrusted
    ) -> TLSFailure {
        X509_STORE_CTX_set_error(store, error)
        return TLSFailure(code, message, certificate: certificate, detail: detail)
    }

    private static func detail(of code: Int32) -> TLSFailure.Detail? {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            .unknownIssuer
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .otherHost
        default: nil
        }
    }

    private static func hasName(_ parameters: OpaquePointer?) -> Bool {
        guard let parameters else { return false }
        if X509_VERIFY_PARAM_get0_host(parameters, 0) != nil { return true }
        guard let address = X509_VERIFY_PARAM_get1_ip_asc(parameters) else { return false }
        CRYPTO_free(address, nil, 0)
        return true
    }
}
