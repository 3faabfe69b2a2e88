import SettingsTesting
import Testing

@Suite("the conformance suite")
struct FaultyStoreTests {
    @Test(arguments: FaultyStore.Fault.allCases)
    func `The conformance suite says in a sentence what is wrong with a store`(fault: FaultyStore.Fault) async throws {
        let kind = StoreUnderTest("Somebody's store") { .init(FaultyStore(fault)) }
        var sentences: [String] = []
        for requirement in StoreRequirement.all {
            do {
                try await requirement.check(kind, within: fault.timeout)
            } catch let failure as RequirementFailure {
                sentences.append(failure.message)
            }
        }
        #expect(sentences.allSatisfy { $0.hasPrefix("Somebody's store does not meet ‘a store ") })
        #expect(sentences.contains { $0.contains(fault.rawValue) }, "\(sentences)")
        #expect(sentences.allSatisfy { !$0.contains("s3cret") || fault == .printsSecrets })
    }
}
