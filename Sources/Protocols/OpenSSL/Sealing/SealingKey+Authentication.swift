internal import COpenSSL
internal import Platform

extension SealingKey {
    /// The code of `bytes` that only the owner of the key can make, or try guesses with: HMAC-SHA-256 (RFC 2104).
    ///
    /// Codes for different purposes differ. It has 64 digits of lower-case hexadecimal.
    package func code(of bytes: [UInt8], for purpose: String) throws(OpenSSLError) -> String {
        let input = Array(purpose.utf8) + [0] + bytes
        var output = [UInt8](repeating: 0, count: 32)
        ERR_clear_error()
        let made = withUnsafeBytes { key in
            HMAC(EVP_sha256(), key.baseAddress, Int32(key.count), input, input.count, &output, nil)
        }
        guard made != nil else { throw OpenSSLError.capture("HMAC") }
        return output.hex
    }
}
