import SettingsSamples
import SettingsTesting
import StoredSettings
import TestSupport
import Testing

@Suite("sealing secrets for a store")
struct SecretBoxTests {
    private let box = SecretBox(sealer: ToySealer(key: 2), path: "/a/store")

    @Test func `A secret box opens what it sealed only at its place, with the key that the store names`() async throws {
        let sealed = try box.seal("canary", scope: "ab", key: "c", known: nil)
        #expect(sealed.keyIdentifier == "toy-2")
        #expect(try box.open(sealed.bytes, scope: "ab", key: "c", known: "toy-2") == "canary")
        for (scope, key) in [("a", "bc"), ("ab", "d"), ("", "c")] {
            #expect(try box.open(sealed.bytes, scope: scope, key: key, known: "toy-2") == nil)
        }
        #expect(await errorCode { try box.open(sealed.bytes, scope: "ab", key: "c", known: "toy-3") } == .wrongKey)
    }

    @Test(arguments: 0..<500 as Range<UInt64>)
    func `A box of secrets opens no bytes that were changed`(seed: UInt64) throws {
        let sealed = try box.seal("canary-0815", scope: "a", key: "b", known: nil).bytes
        var random = SeededGenerator(seed: seed)
        var damaged = sealed
        damaged[Int.random(in: sealed.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        #expect(try box.open(damaged, scope: "a", key: "b", known: "toy-2") == nil)
    }
}
