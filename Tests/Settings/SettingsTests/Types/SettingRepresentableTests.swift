import Foundation
import JSON
import Secrets
import SettingsSamples
import Testing

@testable import StoredSettings

@Suite("A type of settings")
struct SettingRepresentableTests {
    @Test(arguments: TypeSample.all)
    func `A type of settings stores what its documentation says, gives it back, and refuses all else`(
        sample: TypeSample
    ) {
        #expect(sample.kept == sample.stored)
        #expect(sample.comesBack().allSatisfy { $0 })
        for value in sample.refused { #expect(sample.reads(value) == nil, "\(value)") }
    }

    @Test(arguments: [
        Double.nan.stored, Double.infinity.stored, Float.nan.stored, [1, -Double.infinity].stored,
        Date(timeIntervalSinceReferenceDate: .nan).stored, Decimal.nan.stored, ["a": Double.nan].stored,
        Secret(Double.nan).stored, Secret([Secret("x")]).stored,
    ])
    func `A type of settings says that no store can keep a value that JSON has not`(stored: JSONValue) {
        #expect(stored.storageFault != nil)
    }
}
