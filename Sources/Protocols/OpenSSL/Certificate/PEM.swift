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

    /// Every certificate in `text`, at least one, in order; throws for a damaged one, unless `skipsDamaged` is true.
    static func certificates(_ text: String, skipsDamaged: Bool = false) throws(OpenSSLError) -> [Certificate] {
        ERR_clear_error()
        let memory = try OpenSSLError.check(MemoryBIO(text), "BIO_new_mem_buf")
        var found: [Certificate] = []
        while true {
            if let pointer = PEM_read_bio_X509(memory.pointer, nil, nil, nil) {
                found.append(Certificate(pointer))
            } else if isEnd, !found.isEmpty {
                ERR_clear_error()
                return found
            } else if isEnd || !skipsDamaged {
                throw OpenSSLError.capture("PEM_read_bio_X509")
            } else {
                ERR_clear_error()
            }
        }
    }

    /// Whether the last error only reports the end of the text.
    private static var isEnd: Bool {
        let last = ERR_peek_last_error()
        return last & UInt(ERR_REASON_MASK) == UInt(PEM_R_NO_START_LINE) && (last >> 23) & 0xff == UInt(ERR_LIB_PEM)
    }

    /// The first private key in `text`, which must not be encrypted.
    static func privateKey(_ text: String) throws(OpenSSLError) -> Key {
        ERR_clear_error()
        let memory = try OpenSSLError.check(MemoryBIO(text), "BIO_new_mem_buf")
        // Without a callback OpenSSL would ask for the passphrase on the terminal.
        let pointer = PEM_read_bio_PrivateKey(memory.pointer, nil, { _, _, _, _ in -1 }, nil)
        return Key(try OpenSSLError.check(pointer, "PEM_read_bio_PrivateKey"))
    }

    static func text(_ write: (OpaquePointer) -> Int32) throws(OpenSSLError) -> String {
        let memory = try OpenSSLError.check(MemoryBIO(), "BIO_new")
        try OpenSSLError.check(write(memory.pointer), "PEM_write_bio")
        return String(decoding: memory.contents(), as: UTF8.self)
    }
}
