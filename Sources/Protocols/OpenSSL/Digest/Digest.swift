internal import COpenSSL
internal import Platform

/// A message digest.
package enum Digest: String, Sendable, CaseIterable {
    /// MD5, for Digest authentication (RFC 7616) and nothing else.
    case md5 = "MD5"
    /// SHA-256.
    case sha256 = "SHA-256"
    /// SHA-512/256, as RFC 7616 names it.
    case sha512_256 = "SHA-512-256"

    private var algorithm: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha256: EVP_sha256()
        case .sha512_256: EVP_sha512_256()
        }
    }

    /// The digest of `bytes`; throws where a policy of the system (FIPS) forbids the algorithm.
    package func bytes(of bytes: some Sequence<UInt8>) throws(OpenSSLError) -> [UInt8] {
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        ERR_clear_error()
        try OpenSSLError.check(EVP_Digest(input, input.count, &output, &length, algorithm, nil), "EVP_Digest")
        return Array(output.prefix(Int(length)))
    }

    /// The digest of `bytes` in lower-case hexadecimal.
    package func hex(of bytes: some Sequence<UInt8>) throws(OpenSSLError) -> String {
        try self.bytes(of: bytes).hex
    }

    /// The digest of the UTF-8 of `text` in lower-case hexadecimal.
    package func hex(of text: String) throws(OpenSSLError) -> String { try hex(of: text.utf8) }
}
