import SettingsSamples
import Testing

@Suite("A number of Foundation")
struct FoundationNumberTests {
    @Test("is stored as what it holds, comes back, and refuses what is none", arguments: TypeSample.foundationNumbers)
    func stored(sample: TypeSample) {
        #expect(sample.kept == sample.stored)
        #expect(sample.comesBack().allSatisfy { $0 })
        for value in sample.refused { #expect(sample.reads(value) == nil, "\(value)") }
    }
}
