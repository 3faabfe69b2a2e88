internal import COpenSSL

/// Where the verifier leaves its judgement for one ``TLSSession``; the session owns it and outlives its `SSL`.
final class VerificationOutcome {
    /// What this connection accepts; nil for what its context does.
    let trust: TrustPolicy?
    var value: TLSVerification?

    init(trust: TrustPolicy?) { self.trust = trust }

    private static let index = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil, nil)

    func attach(to ssl: OpaquePointer) throws(OpenSSLError) {
        let address = Unmanaged.passUnretained(self).toOpaque()
        try OpenSSLError.check(SSL_set_ex_data(ssl, Self.index, address), "SSL_set_ex_data")
    }

    /// The outcome of the connection that `store` verifies; nil when a foreign library made the connection.
    static func attached(to store: OpaquePointer) -> VerificationOutcome? {
        guard let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let address = SSL_get_ex_data(OpaquePointer(ssl), index)
        else { return nil }
        return Unmanaged<VerificationOutcome>.fromOpaque(address).takeUnretainedValue()
    }
}
