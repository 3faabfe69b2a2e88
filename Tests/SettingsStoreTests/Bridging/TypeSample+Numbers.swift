import Foundation
import Settings
import SettingsSamples
import SettingsUserDefaults

extension TypeSample {
    /// The numbers of Foundation.
    static let foundationNumbers: [TypeSample] = [
        TypeSample(
            .double,
            [
                NSNumber(value: 1): 1, NSNumber(value: Int.min): .int(.min), NSNumber(value: 5.0): .double(5),
                NSNumber(value: 0.1): 0.1, NSNumber(value: Float(0.1)): .double(Double(Float(0.1))),
                NSNumber(value: UInt64(1) << 63): 0x1p63, NSNumber(value: true): 1, NSNumber(value: UInt8(200)): 200,
            ],
            refuses: ["1", .null, [1]]
        ),
        TypeSample(
            .string(.decimal),
            [
                NSDecimalNumber(string: "12.50"): "12.5",
                NSDecimalNumber(mantissa: 1, exponent: 20, isNegative: true): "-100000000000000000000",
            ],
            refuses: ["1,5", "", "NaN", true]
        ),
        TypeSample(.optional(.double), [NSNumber?.none: .null, 3: 3], refuses: ["3"]),
        TypeSample(.dictionary(.array(.double)), [["a": [NSNumber(value: 1.5)]]: ["a": [1.5]]], refuses: [["a": 1]]),
    ]
}
