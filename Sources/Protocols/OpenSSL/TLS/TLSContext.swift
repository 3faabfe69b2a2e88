internal import COpenSSL

/// The settings that connections share: role, trust, own certificate or key; TLS 1.2 and later, nothing is resumed.
///
/// It is expensive compared with a connection (`.system` reads a hundred authorities): make one and share it.
package final class TLSContext: Sendable {
    package enum Role: Sendable {
        case client
        case server
    }

    package let role: Role
    /// What a client accepts unless its ``TLSSession`` is told otherwise; `.any` on a server, which asks for no certificate.
    package let trust: TrustPolicy

    /// Set up before `init` returns, and not changed afterwards.
    // Protected by OpenSSL itself: an SSL_CTX counts its references atomically and locks what connections share in it.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// A context for connecting, with a certificate of our own for servers that ask for one.
    package static func client(
        trust: TrustPolicy,
        identity: TLSIdentity? = nil,
        maximumVersion: TLSVersion? = nil
    ) throws(TLSFailure) -> TLSContext {
        let context = try TLSContext(.client, trust, maximumVersion)
        try context.loadAuthorities()
        if let identity { try context.use(identity) }
        return context
    }

    /// A context for accepting; throws ``TLSFailure`` with `.configuration` when certificate and key are no pair.
    package static func server(
        certificatePEM: String,
        keyPEM: String,
        maximumVersion: TLSVersion? = nil
    ) throws(TLSFailure) -> TLSContext {
        let context = try TLSContext(.server, .any, maximumVersion)
        try context.use(TLSIdentity(certificatePEM: certificatePEM, keyPEM: keyPEM))
        return context
    }

    private init(_ role: Role, _ trust: TrustPolicy, _ maximum: TLSVersion?) throws(TLSFailure) {
        self.role = role
        self.trust = trust
        ERR_clear_error()
        guard let pointer = SSL_CTX_new(role == .client ? TLS_client_method() : TLS_server_method()) else {
            throw Self.failure("SSL_CTX_new", "cannot set TLS up")
        }
        self.pointer = pointer
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        if let maximum {
            let number = maximum == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION
            SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(number), nil)
        }
        SSL_CTX_set_options(pointer, UInt64(copenssl_session_options))
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
        SSL_CTX_set_num_tickets(pointer, 0)
        SSL_CTX_set_default_passwd_cb(pointer) { _, _, _, _ in -1 }  // never ask on the terminal
        if role == .client { verifyServers() }
    }

    deinit { SSL_CTX_free(pointer) }

    /// Lets each connection's ``TrustVerifier`` judge.
    private func verifyServers() {
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(
            pointer,
            { store, _ in
                guard let store, let verifier = TrustVerifier.attached(to: store) else { return 0 }
                return verifier.verify(store)
            },
            nil
        )
    }

    private func loadAuthorities() throws(TLSFailure) {
        ERR_clear_error()
        switch trust {
        case .system:
            guard SSL_CTX_set_default_verify_paths(pointer) == 1 else {
                throw Self.failure("SSL_CTX_set_default_verify_paths", "cannot read the system's authorities")
            }
        case .authority(let file, _):
            guard SSL_CTX_load_verify_file(pointer, file) == 1 else {
                throw Self.failure("SSL_CTX_load_verify_file", "cannot read certificates from \(file)")
            }
            X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(pointer), UInt(X509_V_FLAG_PARTIAL_CHAIN))
        case .device(let device, _):
            // Without the file nothing is proven, and the rest of the policy decides.
            SSL_CTX_load_verify_file(pointer, device.file)
            ERR_clear_error()
        case .pinned, .firstUse, .named, .any:
            break
        }
    }

    private func use(_ identity: TLSIdentity) throws(TLSFailure) {
        ERR_clear_error()
        let chain: [PEM.Certificate]
        do { chain = try PEM.certificates(identity.certificatePEM) } catch {
            throw TLSFailure(.configuration, "the certificate cannot be used, or one of its chain", underlying: error)
        }
        guard let leaf = chain.first, SSL_CTX_use_certificate(pointer, leaf.pointer) == 1 else {
            throw Self.failure("SSL_CTX_use_certificate", "the certificate cannot be used")
        }
        for issuer in chain.dropFirst() {
            X509_up_ref(issuer.pointer)
            let added = SSL_CTX_ctrl(pointer, SSL_CTRL_CHAIN_CERT, 0, UnsafeMutableRawPointer(issuer.pointer))
            guard added == 1 else {
                X509_free(issuer.pointer)
                throw Self.failure("SSL_CTX_add0_chain_cert", "the certificate's chain cannot be used")
            }
        }
        let key: PEM.Key
        do { key = try PEM.privateKey(identity.keyPEM) } catch {
            throw TLSFailure(.configuration, "the private key cannot be read", underlying: error)
        }
        guard SSL_CTX_use_PrivateKey(pointer, key.pointer) == 1, SSL_CTX_check_private_key(pointer) == 1 else {
            throw Self.failure("SSL_CTX_use_PrivateKey", "the private key does not belong to the certificate")
        }
    }

    static func failure(_ operation: String, _ message: String) -> TLSFailure {
        TLSFailure(.configuration, message, underlying: .capture(operation))
    }
}
