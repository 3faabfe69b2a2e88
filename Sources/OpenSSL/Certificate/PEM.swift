internal import COpenSSL

/// Reading and writing PEM (RFC 7468) in memory.
enum PEM {
    /// An owned `X509`.
    final class Certificate {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { X509_free(pointer) }
    }

    /// An owned `EVP_PKEY`.
    final class Key {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { EVP_PKEY_free(pointer) }
    }

    /// Every certificate in `text`, in its order.
    static func certificates(_ text: String) -> [Certificate] {
        guard let memory = MemoryBIO(text) else { return [] }
        var found: [Certificate] = []
        while let pointer = PEM_read_bio_X509(memory.pointer, nil, nil, nil) { found.append(Certificate(pointer)) }
        if !found.isEmpty { ERR_clear_error() }  // the end of the text is reported as an error
        return found
    }

    /// The first private key in `text`, which must not be encrypted.
    static func privateKey(_ text: String) throws(OpenSSLError) -> Key {
        ERR_clear_error()
        let memory = try OpenSSLError.check(MemoryBIO(text), "BIO_new_mem_buf")
        // Without a callback OpenSSL would ask for the passphrase on the terminal.
        let pointer = PEM_read_bio_PrivateKey(memory.pointer, nil, { _, _, _, _ in -1 }, nil)
        return Key(try OpenSSLError.check(pointer, "PEM_read_bio_PrivateKey"))
    }
}
