import COpenSSL
import OpenSSL

/// What brokers want of TLS beside certificates; for a context of our own that nobody else uses yet.
extension TLSContext {
    /// Offers application protocols (RFC 7301).
    func offer(_ protocols: [String]) throws(TLSFailure) {
        guard !protocols.isEmpty else { return }
        var list: [UInt8] = []
        for name in protocols {
            guard (1...255).contains(name.utf8.count) else {
                throw TLSFailure(code: .configuration, message: "the name of an application protocol has 1–255 bytes")
            }
            list.append(UInt8(name.utf8.count))
            list += name.utf8
        }
        guard SSL_CTX_set_alpn_protos(sslContext, list, UInt32(list.count)) == 0 else {
            throw TLSFailure(code: .configuration, message: "the application protocols cannot be offered")
        }
    }

    /// Uses a key instead of certificates.
    func use(_ presharedKey: MQTTPresharedKey) throws(TLSFailure) {
        guard (1...127).contains(presharedKey.identity.utf8.count), !presharedKey.identity.utf8.contains(0),
            (1...256).contains(presharedKey.key.count)
        else {
            throw TLSFailure(
                code: .configuration,
                message: "a pre-shared key has 1–256 bytes, and its identity 1–127 without NUL"
            )
        }
        let owned = Unmanaged.passRetained(PresharedKeyBox(presharedKey))
        guard SSL_CTX_set_ex_data(sslContext, PresharedKeyBox.index, owned.toOpaque()) == 1 else {
            owned.release()
            throw TLSFailure(code: .configuration, message: "the pre-shared key cannot be used")
        }
        guard SSL_CTX_set_cipher_list(sslContext, "kECDHEPSK:kDHEPSK:kPSK") == 1 else {
            throw TLSFailure(code: .configuration, message: "this OpenSSL has no ciphers for pre-shared keys")
        }
        SSL_CTX_set_psk_client_callback(sslContext) { ssl, _, identity, identityLimit, key, keyLimit in
            guard let ssl, let identity, let key, let context = SSL_get_SSL_CTX(ssl),
                let data = SSL_CTX_get_ex_data(context, PresharedKeyBox.index)
            else { return 0 }
            let shared = Unmanaged<PresharedKeyBox>.fromOpaque(data).takeUnretainedValue().value
            let name = Array(shared.identity.utf8CString)
            guard name.count <= Int(identityLimit), shared.key.count <= Int(keyLimit) else { return 0 }
            identity.update(from: name, count: name.count)
            key.update(from: shared.key, count: shared.key.count)
            return UInt32(shared.key.count)
        }
    }
}

/// Lives as long as the `SSL_CTX` that holds it.
private final class PresharedKeyBox: Sendable {
    let value: MQTTPresharedKey

    init(_ value: MQTTPresharedKey) { self.value = value }

    static let index = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, nil, nil, nil) { _, value, _, _, _, _ in
        if let value { Unmanaged<PresharedKeyBox>.fromOpaque(value).release() }
    }
}
