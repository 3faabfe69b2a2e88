import SettingsSamples
import SettingsTesting
import Testing

@Suite("Every type in every store")
struct TypeMatrixTests {
    @Test(arguments: StoreUnderTest.all)
    func `In each store, every type tells absent, value, default, nil and reset`(of kind: StoreUnderTest) async throws {
        for sample in TypeSample.all {
            let instance = try kind.open()
            let faults = try await sample.faults(instance.store, instance.openAgain)
            #expect(faults == [], "\(sample.testDescription)")
        }
    }
}
