import OpenSSL
import Testing

@Suite("Digests and random bytes")
struct DigestTests {
    @Test(arguments: [
        (Digest.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),  // RFC 1321, A.5
        (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),  // FIPS 180-4
        (.sha512_256, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
    ])
    func `Digests agree with the published vectors`(digest: Digest, text: String, expected: String) throws {
        #expect(try digest.hex(of: text) == expected)
        #expect(try digest.hex(of: Array(text.utf8)) == expected)
    }

    @Test func `Random bytes differ and come in the length asked for`() throws {
        #expect(try SecureRandom.bytes(0).isEmpty)
        #expect(try SecureRandom.hex(16).count == 32)
        #expect(try Set((0..<100).map { _ in try SecureRandom.hex(8) }).count == 100)
    }
}
