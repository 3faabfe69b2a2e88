import Foundation
import SettingsSamples
import SettingsUserDefaults
import StoredSettings
import Testing

extension TypeSample {
    /// The numbers of Foundation.
    static let foundationNumbers: [TypeSample] = [
        TypeSample(
            .double,
            [
                number(1): 1, number(NSNumber(value: Int.min)): .int(.min), number(NSNumber(value: 5.0)): .double(5),
                number(NSNumber(value: 0.1)): 0.1, number(NSNumber(value: Float(0.1))): .double(Double(Float(0.1))),
                number(NSNumber(value: UInt64(1) << 63)): 0x1p63, number(NSNumber(value: true)): 1,
                number(NSNumber(value: UInt8(200))): 200,
            ],
            refuses: ["1", .null, [1]]
        ),
        TypeSample(.optional(.double), [FoundationNumber?.none: .null, number(3): 3], refuses: ["3"]),
        TypeSample(.dictionary(.array(.double)), [["a": [number(1.5)]]: ["a": [1.5]]], refuses: [["a": 1]]),
    ]

    private static func number(_ number: NSNumber) -> FoundationNumber { FoundationNumber(number) }
}

@Suite("A number of Foundation")
struct FoundationNumberTests {
    @Test("is stored as what it holds, comes back, and refuses what is none", arguments: TypeSample.foundationNumbers)
    func stored(sample: TypeSample) {
        #expect(sample.kept == sample.stored)
        #expect(sample.comesBack().allSatisfy { $0 })
        for value in sample.refused { #expect(sample.reads(value) == nil, "\(value)") }
    }
}
