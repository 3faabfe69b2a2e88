internal import COpenSSL

extension SealingKey {
    /// Derives a key from a passphrase with scrypt (RFC 7914): N = 32,768, r = 8, p = 1.
    ///
    /// It takes 32 MB of memory and about a tenth of a second, so that guessing a passphrase is expensive.
    ///
    /// - Parameters:
    ///   - passphrase: What a person typed.
    ///   - salt: At least 16 random bytes, stored unencrypted beside the ciphertext.
    /// - Throws: ``OpenSSLError`` when memory is short.
    package init(passphrase: String, salt: [UInt8]) throws {
        let text = Array(passphrase.utf8)
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        defer { OPENSSL_cleanse(&bytes, bytes.count) }
        ERR_clear_error()
        let derived = text.withUnsafeBytes { text in
            let start = text.bindMemory(to: CChar.self).baseAddress
            let (n, r, p, memory): (UInt64, UInt64, UInt64, UInt64) = (32_768, 8, 1, 64 << 20)
            return EVP_PBE_scrypt(start, text.count, salt, salt.count, n, r, p, memory, &bytes, bytes.count)
        }
        try OpenSSLError.check(derived, "EVP_PBE_scrypt")
        try self.init(bytes: bytes)
    }
}
