internal import COpenSSL

/// HMAC-SHA-256 (RFC 2104): a digest that only the owner of a key can make, or try guesses with.
public struct MessageAuthentication: Sendable {
    private let key: SealingKey
    private let purpose: [UInt8]

    /// Authenticates for one purpose; codes made for another purpose differ.
    public init(key: SealingKey, purpose: String) {
        self.key = key
        self.purpose = Array(purpose.utf8) + [0]
    }

    /// The code of `bytes` in lower-case hexadecimal, 64 digits.
    public func hex(of bytes: some Sequence<UInt8>) throws(OpenSSLError) -> String {
        let input = purpose + Array(bytes)
        var output = [UInt8](repeating: 0, count: 32)
        var length = 0
        ERR_clear_error()
        let made = key.withUnsafeBytes { key in
            EVP_Q_mac(
                nil,
                "HMAC",
                nil,
                "SHA256",
                nil,
                key.baseAddress,
                key.count,
                input,
                input.count,
                &output,
                output.count,
                &length
            )
        }
        guard made != nil else { throw OpenSSLError.capture("EVP_Q_mac") }
        return Hexadecimal.encode(output)
    }
}
