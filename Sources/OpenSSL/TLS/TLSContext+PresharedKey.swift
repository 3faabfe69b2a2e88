internal import COpenSSL

extension TLSContext {
    /// Lets connections use the key instead of certificates.
    func use(_ presharedKey: TLSPresharedKey) throws(TLSFailure) {
        guard (1...127).contains(presharedKey.identity.utf8.count), !presharedKey.identity.utf8.contains(0),
            (1...256).contains(presharedKey.key.count)
        else {
            throw TLSFailure(
                code: .configuration,
                message: "a pre-shared key has 1–256 bytes, and its identity 1–127 without NUL"
            )
        }
        ERR_clear_error()
        // Nobody needs to own it: a connection's TLSSession keeps this context.
        guard SSL_CTX_set_ex_data(pointer, Self.index, Unmanaged.passUnretained(self).toOpaque()) == 1 else {
            throw Self.failure("SSL_CTX_set_ex_data", "the pre-shared key cannot be used")
        }
        guard SSL_CTX_set_cipher_list(pointer, "kECDHEPSK:kDHEPSK:kPSK") == 1 else {
            throw Self.failure("SSL_CTX_set_cipher_list", "this OpenSSL has no ciphers for pre-shared keys")
        }
        SSL_CTX_set_psk_client_callback(pointer) { ssl, _, identity, identityLimit, key, keyLimit in
            guard let ssl, let identity, let key, let shared = TLSContext.attached(to: ssl)?.presharedKey else {
                return 0
            }
            let name = Array(shared.identity.utf8CString)
            guard name.count <= Int(identityLimit), shared.key.count <= Int(keyLimit) else { return 0 }
            identity.update(from: name, count: name.count)
            key.update(from: shared.key, count: shared.key.count)
            return UInt32(shared.key.count)
        }
    }

    private static let index = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil, nil)

    /// The context that a connection was made from.
    private static func attached(to ssl: OpaquePointer) -> TLSContext? {
        guard let context = SSL_get_SSL_CTX(ssl), let address = SSL_CTX_get_ex_data(context, index) else { return nil }
        return Unmanaged<TLSContext>.fromOpaque(address).takeUnretainedValue()
    }
}
