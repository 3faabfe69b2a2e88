internal import COpenSSL
internal import Platform

/// HMAC-SHA-256 (RFC 2104): a digest that only the owner of a key can make, or try guesses with.
package struct MessageAuthentication: Sendable {
    private let key: SealingKey
    private let purpose: [UInt8]

    /// Authenticates for one purpose; codes made for another purpose differ.
    package init(key: SealingKey, purpose: String) {
        self.key = key
        self.purpose = Array(purpose.utf8) + [0]
    }

    /// The code of `bytes` in lower-case hexadecimal, 64 digits.
    package func hex(of bytes: some Sequence<UInt8>) throws(OpenSSLError) -> String {
        let input = purpose + Array(bytes)
        var output = [UInt8](repeating: 0, count: 32)
        ERR_clear_error()
        let made = key.withUnsafeBytes { key in
            HMAC(EVP_sha256(), key.baseAddress, Int32(key.count), input, input.count, &output, nil)
        }
        guard made != nil else { throw OpenSSLError.capture("HMAC") }
        return output.hex
    }
}
