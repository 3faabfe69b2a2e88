import SettingsTesting
import Testing

@Suite("a store")
struct StoreConformanceTests {
    @Test("A store does what every store must do", arguments: StoreRequirement.all, StoreUnderTest.all)
    func conforms(requirement: StoreRequirement, kind: StoreUnderTest) async throws {
        try await requirement.check(kind)
    }
}
