import SettingsSamples
import SettingsTesting
import Testing

@Suite("Every type in every store")
struct TypeMatrixTests {
    @Test(
        "Every type in every store is told apart as absent, value, default, nil and reset, by a model that is made anew",
        arguments: StoreUnderTest.all
    )
    func matrix(of kind: StoreUnderTest) async throws {
        for sample in TypeSample.all {
            let instance = try kind.open()
            let faults = try await sample.faults(instance.store, instance.openAgain)
            #expect(faults == [], "\(sample.testDescription)")
        }
    }
}
