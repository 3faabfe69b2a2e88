import SettingsSamples
import SettingsTesting
import StoredSettings
import TestSupport
import Testing

@Suite("sealing secrets for a store")
struct SecretBoxTests {
    private let box: SecretBox

    init() throws { box = SecretBox(sealer: try sealer(2), path: "/a/store") }

    @Test func `A secret box opens what it sealed only at its place, with the key that the store names`() async throws {
        let sealed = try box.seal("canary", scope: "ab", key: "c", known: nil)
        let known = sealed.keyIdentifier
        #expect(try box.open(sealed.bytes, scope: "ab", key: "c", known: known) == "canary")
        for (scope, key) in [("a", "bc"), ("ab", "d"), ("", "c")] {
            #expect(try box.open(sealed.bytes, scope: scope, key: key, known: known) == nil)
        }
        #expect(await errorCode { try box.open(sealed.bytes, scope: "ab", key: "c", known: "another") } == .wrongKey)
    }

    @Test(arguments: 0..<500 as Range<UInt64>)
    func `A box of secrets opens no bytes that were changed`(seed: UInt64) throws {
        let sealed = try box.seal("canary-0815", scope: "a", key: "b", known: nil)
        var random = SeededGenerator(seed: seed)
        var damaged = sealed.bytes
        damaged[Int.random(in: damaged.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        #expect(try box.open(damaged, scope: "a", key: "b", known: sealed.keyIdentifier) == nil)
    }
}
