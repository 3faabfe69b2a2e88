import OpenSSL
import Testing

@Suite("Sealed secrets")
struct SealingTests {
    private let purpose = Array("printer/a/access_code".utf8)

    @Test(arguments: [0, 1, 15, 16, 17, 64, 100_000])
    func `Sealed secrets open to what was sealed`(count: Int) throws {
        let key = try SealingKey.random()
        let secret = try SecureRandom.bytes(count)
        let sealed = try key.seal(secret, authenticating: purpose)
        #expect(sealed.count == count + SealingKey.overhead)
        #expect(try key.open(sealed, authenticating: purpose) == secret)
        #expect(try key.seal(secret, authenticating: purpose) != sealed, "the nonce has to be new each time")
    }

    @Test func `Sealed secrets do not open with any byte changed or missing`() throws {
        let key = try SealingKey.random()
        let sealed = try key.seal(Array("12345678".utf8), authenticating: purpose)
        for place in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[place] ^= 1 << bit
                let failure = #expect(throws: SealingFailure.self) { try key.open(changed, authenticating: purpose) }
                #expect(failure?.code == .notAuthentic)
            }
            let short = #expect(throws: SealingFailure.self) {
                try key.open(Array(sealed.prefix(place)), authenticating: purpose)
            }
            #expect(short?.code == (place < SealingKey.overhead ? .tooShort : .notAuthentic))
        }
        #expect(try key.open(sealed, authenticating: purpose) == Array("12345678".utf8))
    }

    @Test func `Sealed secrets do not open for another purpose or with another key`() throws {
        let key = try SealingKey.random()
        let sealed = try key.seal([1, 2, 3], authenticating: purpose)
        for other in [[], Array("printer/b/access_code".utf8), purpose + [0]] {
            #expect(throws: SealingFailure.self) { try key.open(sealed, authenticating: other) }
        }
        let stranger = try SealingKey.random()
        #expect(throws: SealingFailure.self) { try stranger.open(sealed, authenticating: purpose) }
    }

    @Test func `Sealed secrets agree with the published vector of AES-256-GCM`() throws {
        // McGrew and Viega, The Galois/Counter Mode of Operation, test case 14: zero key, nonce and block.
        let key = try SealingKey(bytes: [UInt8](repeating: 0, count: 32))
        let text = "cea7403d4d606b6e074ec5d3baf39d18" + "d0d1c8a799996bf0265b98b5d48ab919"
        let block = try #require(SealingKey(hexadecimal: text)).withUnsafeBytes { Array($0) }
        #expect(try key.open([UInt8](repeating: 0, count: 12) + block) == [UInt8](repeating: 0, count: 16))
    }

    @Test func `Keys of secrets do not print themselves and have 32 bytes`() throws {
        let key = try SealingKey(bytes: [UInt8](repeating: 0x5A, count: 32))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("90") && !text.lowercased().contains("5a"), "\(text)")
        }
        #expect(key.withUnsafeBytes { Array($0) } == [UInt8](repeating: 0x5A, count: 32))
        for count in [0, 16, 31, 33] {
            #expect(throws: SealingFailure.self) { try SealingKey(bytes: [UInt8](repeating: 1, count: count)) }
        }
    }
}
