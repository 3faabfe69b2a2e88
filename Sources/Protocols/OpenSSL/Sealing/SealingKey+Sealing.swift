internal import COpenSSL

/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D).
///
/// A sealed message is a random nonce of 12 bytes, the ciphertext and a tag of 16 bytes. Random nonces limit one key to
/// 2³² messages.
extension SealingKey {
    private static let nonceCount = 12
    private static let tagCount = 16
    /// How many bytes sealing adds.
    package static let overhead = nonceCount + tagCount

    /// Encrypts `plaintext` and binds it to `context`, which is needed again to open it and is not part of the result.
    package func seal(_ plaintext: [UInt8], authenticating context: [UInt8] = []) throws -> [UInt8] {
        guard plaintext.count <= Int(Int32.max) - Self.overhead, context.count <= Int(Int32.max) else {
            throw SealingFailure(.tooLong, "too long to be sealed")
        }
        let nonce = try SecureRandom.bytes(Self.nonceCount)
        let cipher = try Context(self, nonce: nonce, context: context, encrypts: true)
        let ciphertext = try cipher.update(plaintext)
        var tag = [UInt8](repeating: 0, count: Self.tagCount)
        try OpenSSLError.check(EVP_CipherFinal_ex(cipher.pointer, &tag, &cipher.written), "EVP_CipherFinal_ex")
        let hasTag = EVP_CIPHER_CTX_ctrl(cipher.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagCount), &tag)
        try OpenSSLError.check(hasTag, "EVP_CTRL_AEAD_GET_TAG")
        return nonce + ciphertext + tag
    }

    /// Decrypts what ``seal(_:authenticating:)`` made with the same key and context; ``SealingFailure`` otherwise.
    package func open(_ sealed: [UInt8], authenticating context: [UInt8] = []) throws -> [UInt8] {
        guard sealed.count >= Self.overhead else {
            throw SealingFailure(.tooShort, "\(sealed.count) bytes are too few to be a sealed secret")
        }
        guard sealed.count <= Int(Int32.max), context.count <= Int(Int32.max) else {
            throw SealingFailure(.tooLong, "too long to be a sealed secret")
        }
        let nonce = Array(sealed.prefix(Self.nonceCount))
        var tag = Array(sealed.suffix(Self.tagCount))
        let ciphertext = Array(sealed[Self.nonceCount..<(sealed.count - Self.tagCount)])
        let cipher = try Context(self, nonce: nonce, context: context, encrypts: false)
        let hasTag = EVP_CIPHER_CTX_ctrl(cipher.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagCount), &tag)
        try OpenSSLError.check(hasTag, "EVP_CTRL_AEAD_SET_TAG")
        let plaintext = try cipher.update(ciphertext)
        // GCM has no padding: nothing is written, but a pointer is wanted.
        var rest: UInt8 = 0
        guard EVP_CipherFinal_ex(cipher.pointer, &rest, &cipher.written) > 0 else {
            ERR_clear_error()
            let message = "changed since it was sealed, or sealed with another key or for another purpose"
            throw SealingFailure(.notAuthentic, message)
        }
        return plaintext
    }

    private final class Context {
        let pointer: OpaquePointer
        var written: Int32 = 0

        init(_ key: SealingKey, nonce: [UInt8], context: [UInt8], encrypts: Bool) throws(OpenSSLError) {
            ERR_clear_error()
            pointer = try OpenSSLError.check(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
            let started = key.withUnsafeBytes { bytes in
                let key = bytes.bindMemory(to: UInt8.self).baseAddress
                return EVP_CipherInit_ex(pointer, EVP_aes_256_gcm(), nil, key, nonce, encrypts ? 1 : 0)
            }
            try OpenSSLError.check(started, "EVP_CipherInit_ex")
            if !context.isEmpty {
                let isBound = EVP_CipherUpdate(pointer, nil, &written, context, Int32(context.count))
                try OpenSSLError.check(isBound, "EVP_CipherUpdate")
            }
        }

        deinit { EVP_CIPHER_CTX_free(pointer) }

        func update(_ input: [UInt8]) throws(OpenSSLError) -> [UInt8] {
            guard !input.isEmpty else { return [] }
            var output = [UInt8](repeating: 0, count: input.count)
            let isDone = EVP_CipherUpdate(pointer, &output, &written, input, Int32(input.count))
            try OpenSSLError.check(isDone, "EVP_CipherUpdate")
            return output
        }
    }
}
