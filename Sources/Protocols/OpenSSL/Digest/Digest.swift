internal import COpenSSL

/// A message digest.
package enum Digest: String, Sendable, CaseIterable {
    /// MD5, for Digest authentication (RFC 7616) and nothing else.
    case md5 = "MD5"
    /// SHA-256.
    case sha256 = "SHA-256"
    /// SHA-512/256, as RFC 7616 names it.
    case sha512_256 = "SHA-512-256"

    // Fetched from the providers once: that takes longer than computing a digest.
    private static let algorithms = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, Algorithm($0 == .sha512_256 ? "SHA-512/256" : $0.rawValue)) }
    )

    // Protected by being immutable: OpenSSL never changes a fetched algorithm, and it is never freed.
    private struct Algorithm: @unchecked Sendable {
        let pointer: OpaquePointer?

        init(_ name: String) { pointer = EVP_MD_fetch(nil, name, nil) }
    }

    /// Nil where a policy of the system forbids it.
    var algorithm: OpaquePointer? { Self.algorithms[self]?.pointer }

    /// The digest of `bytes`; throws where a policy of the system (FIPS) forbids the algorithm.
    package func bytes(of bytes: some Sequence<UInt8>) throws(OpenSSLError) -> [UInt8] {
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        ERR_clear_error()
        let algorithm = try OpenSSLError.check(algorithm, "EVP_MD_fetch")
        try OpenSSLError.check(EVP_Digest(input, input.count, &output, &length, algorithm, nil), "EVP_Digest")
        return Array(output.prefix(Int(length)))
    }

    /// The digest of `bytes` in lower-case hexadecimal.
    package func hex(of bytes: some Sequence<UInt8>) throws(OpenSSLError) -> String {
        Hexadecimal.encode(try self.bytes(of: bytes))
    }

    /// The digest of the UTF-8 of `text` in lower-case hexadecimal.
    package func hex(of text: String) throws(OpenSSLError) -> String { try hex(of: text.utf8) }
}
