import Foundation
import JSON
import Secrets
import SettingsSamples
import Testing

@testable import StoredSettings

@Suite("A type of settings")
struct SettingRepresentableTests {
    @Test(arguments: TypeSample.all)
    func `A type of settings stores what its documentation says`(sample: TypeSample) {
        #expect(sample.kept == sample.stored)
    }

    @Test(arguments: TypeSample.all)
    func `A type of settings gives back every value, also from the text of a message`(sample: TypeSample) {
        #expect(sample.comesBack().allSatisfy { $0 })
    }

    @Test(arguments: TypeSample.all)
    func `A type of settings refuses what it is not`(sample: TypeSample) {
        for value in sample.refused { #expect(sample.reads(value) == nil, "\(value)") }
    }

    @Test func `A settings type accepts a whole number written as 5.0, but none that may be rounded`() {
        #expect(Int(stored: .double(5)) == 5)
        #expect(Int(stored: .double(-0.0)) == 0)
        #expect(Int(stored: .double(5.5)) == nil)
        #expect(Int(stored: .double(0x1p53)) == nil)
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
