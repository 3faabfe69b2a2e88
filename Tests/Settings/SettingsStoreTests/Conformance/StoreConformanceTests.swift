import SettingsTesting
import Testing

@Suite("a store")
struct StoreConformanceTests {
    @Test(arguments: StoreRequirement.all, StoreUnderTest.all)
    func `A store does what every store must do`(requirement: StoreRequirement, kind: StoreUnderTest) async throws {
        try await requirement.check(kind, within: .seconds(600))
    }
}
