internal import COpenSSL
internal import Foundation

extension TrustVerifier {
    /// Why a certificate does not prove a device; nil when it does.
    func judgeDevice(_ store: OpaquePointer, _ report: CertificateReport, _ device: DeviceCertificate) -> TLSFailure? {
        if let failure = judgeName(store, report, expected: device.commonName) { return failure }
        // Check validity last: a wrong signature must be found even if an authority has expired.
        X509_VERIFY_PARAM_set_flags(X509_STORE_CTX_get0_param(store), UInt(X509_V_FLAG_NO_CHECK_TIME))
        if let failure = judgeChain(store, namesHost: false) {
            return isForged(store, failure) ? refused(store, "its authority did not sign it", .forged) : failure
        }
        let chain = chain(of: store)
        guard let root = chain.last, device.roots.contains(root.fingerprint) else {
            return refused(store, "it leads to another root", .unknownIssuer)
        }
        guard let issuer = Self.issuerName(store), device.allowsIssuer(issuer) else {
            return refused(store, "its issuer does not certify devices", .forged)
        }
        switch chain.map({ $0.validity(at: .now) }).first(where: { $0 != .valid }) {
        case .expired: return refused(store, "it, or an authority of it, has expired", .expired)
        case .notYetValid: return refused(store, "it, or an authority of it, is not valid yet", .notYetValid)
        case .valid, nil:
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return nil
        }
    }

    /// Whether a certificate names an authority at hand as its issuer, and is not signed by it.
    ///
    /// With a wrong key identifier OpenSSL does not even try the authority's key.
    private func isForged(_ store: OpaquePointer, _ failure: TLSFailure) -> Bool {
        if X509_STORE_CTX_get_error(store) == X509_V_ERR_CERT_SIGNATURE_FAILURE { return true }
        guard failure.detail == .unknownIssuer, let object = X509_OBJECT_new() else { return false }
        defer { X509_OBJECT_free(object) }
        let issuer = X509_STORE_CTX_get_current_cert(store).flatMap { X509_get_issuer_name($0) }
        defer { ERR_clear_error() }
        return X509_STORE_CTX_get_by_subject(store, X509_LU_X509, issuer, object) == 1
    }

    private func refused(_ store: OpaquePointer, _ why: String, _ detail: TLSFailure.Detail) -> TLSFailure {
        refused(store, X509_V_ERR_CERT_REJECTED, "the certificate is not trusted: \(why)", detail)
    }

    /// The verified chain, the peer's certificate first.
    private func chain(of store: OpaquePointer) -> [CertificateReport] {
        let chain = X509_STORE_CTX_get0_chain(store)
        return (0..<max(0, OPENSSL_sk_num(chain))).compactMap { index in
            OPENSSL_sk_value(chain, index).flatMap { try? CertificateReport(x509: OpaquePointer($0)) }
        }
    }

    private static func issuerName(_ store: OpaquePointer) -> [UInt8]? {
        X509_STORE_CTX_get0_cert(store).flatMap { CertificateReport.commonName(in: X509_get_issuer_name($0)) }
    }
}
