internal import COpenSSL
internal import Platform

/// Random bytes fit for keys and nonces.
package enum SecureRandom {
    /// `count` random bytes; throws when the system's source of randomness fails.
    package static func bytes(_ count: Int) throws(OpenSSLError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        ERR_clear_error()
        try OpenSSLError.check(RAND_bytes(&bytes, Int32(clamping: bytes.count)), "RAND_bytes")
        return bytes
    }

    /// `count` random bytes in lower-case hexadecimal, so twice as many characters.
    package static func hex(_ count: Int) throws(OpenSSLError) -> String {
        try bytes(count).hex
    }
}
