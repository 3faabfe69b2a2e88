import Foundation
import StoredSettings

private let noon = Date(timeIntervalSinceReferenceDate: 0.25)
private let id = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

extension TypeSample {
    /// One of each type, and of each way of putting types together.
    package static let all: [TypeSample] = [
        TypeSample(.bool, [true: true, false: false], refuses: [1, "true", .null]),
        TypeSample(.int, [Int.min: .int(.min), Int.max: .int(.max), 0: 0], refuses: [7.5, "7", 0x1p53, true]),
        TypeSample(.integer(bits: 8, isSigned: true), [Int8.min: -128, Int8.max: 127], refuses: [128, -129]),
        TypeSample(.integer(bits: 16, isSigned: true), [Int16.min: -32768], refuses: [32768, "1"]),
        TypeSample(.integer(bits: 32, isSigned: true), [Int32.max: 2_147_483_647], refuses: [2_147_483_648]),
        TypeSample(.integer(bits: 64, isSigned: true), [Int64.min: .int(.min)], refuses: [.double(0x1p63)]),
        TypeSample(.integer(bits: 8, isSigned: false), [UInt8.max: 255, UInt8.min: 0], refuses: [256, -1]),
        TypeSample(.integer(bits: 16, isSigned: false), [UInt16.max: 65535], refuses: [65536]),
        TypeSample(.integer(bits: 32, isSigned: false), [UInt32.max: 4_294_967_295], refuses: [4_294_967_296]),
        TypeSample(
            .integer(bits: 64, isSigned: false),
            [UInt.max: "18446744073709551615", UInt(Int.max): .int(.max), 3: 3],
            refuses: [-1, "18446744073709551616", "-1", "+1", "", "7", .double(1.8446744073709552e19)]
        ),
        TypeSample(
            .integer(bits: 128, isSigned: true),
            [
                Int128.min: "-170141183460469231731687303715884105728", .max: "170141183460469231731687303715884105727",
                Int128(Int.min) - 1: "-9223372036854775809", Int128(Int.min): .int(.min), 0: 0,
            ],
            refuses: ["170141183460469231731687303715884105728", "-", "--9223372036854775809", "7", 0.5, ""]
        ),
        TypeSample(
            .integer(bits: 128, isSigned: false),
            [UInt128.max: "340282366920938463463374607431768211455", 3: 3],
            refuses: ["-9223372036854775809", -1, "340282366920938463463374607431768211456"]
        ),
        TypeSample(.integer(bits: 64, isSigned: false), [UInt64.max: "18446744073709551615"], refuses: ["x"]),
        TypeSample(
            .double,
            [
                0.1: 0.1, -0.0: -0.0, Double.leastNonzeroMagnitude: .double(.leastNonzeroMagnitude),
                1.7976931348623157e308: 1.7976931348623157e308,
            ],
            refuses: ["0.1", true]
        ),
        TypeSample(
            .double,
            [Float(0.1): 0.1, .greatestFiniteMagnitude: 3.4028235e+38],
            refuses: [.double(1e39), "1"]
        ),
        TypeSample(.string, ["": "", "nul \0 and 😀": "nul \0 and 😀"], refuses: [.secret("x"), 1]),
        TypeSample(.string(.base64), [Data([0, 255]): "AP8=", Data(): ""], refuses: ["AP8", "%", 1]),
        TypeSample(
            .string(.dateTime),
            [
                noon: "2001-01-01T00:00:00.250Z", .distantPast: .double(-63_114_076_800),
                .distantFuture: "4001-01-01T00:00:00Z", Date(timeIntervalSinceReferenceDate: 1e300): .double(1e300),
            ],
            refuses: ["2001-01-01", "2001-02-29T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:00:00", ""]
        ),
        TypeSample(
            .string(.uri),
            [
                URL(filePath: "/tmp/x"): "file:///tmp/x",
                URL(filePath: "/tmp/x").appending(queryItems: [.init(name: "q", value: "a b")]):
                    "file:///tmp/x?q=a%20b",
            ],
            refuses: ["", "a b", "http://[", 1]
        ),
        TypeSample(.string(.uuid), [id: "00010203-0405-0607-0809-0A0B0C0D0E0F"], refuses: ["00010203", 1]),
        TypeSample(
            .string(.decimal),
            [
                Decimal(sign: .plus, exponent: -2, significand: 1250): "12.5",
                Decimal(sign: .minus, exponent: -1, significand: 1): "-0.1",
                Decimal(4) / 3: .string((Decimal(4) / 3).description),
                Decimal.greatestFiniteMagnitude: .string(Decimal.greatestFiniteMagnitude.description),
            ],
            refuses: ["1,5", "1x", "", "NaN", .string(String(repeating: "9", count: 39)), "1e999"]
        ),
        TypeSample(.choice(.int, [1, 9]), [Level.low: 1, .high: 9], refuses: [2, "1"]),
        TypeSample(.choice(.string, ["indoors", "outdoors"]), [Site.outdoors: "outdoors"], refuses: ["mars", 1]),
        TypeSample(.string, [Tag(rawValue: "x"): "x"], refuses: [1]),
        TypeSample(.optional(.int), [Int?.none: .null, 3: 3], refuses: ["3"]),
        TypeSample(
            .optional(.array(.optional(.int))),
            [Int??.none: .null, .some(nil): [.null], .some(3): [3]],
            refuses: [3, [], [1, 2]]
        ),
        TypeSample(.array(.optional(.string)), [["a", nil]: ["a", .null]], refuses: [["a", 1], "a"]),
        TypeSample(.array(.array(.int)), [[[1], []]: [[1], []]], refuses: [[1]]),
        TypeSample(.set(.string), [Set(["b", "a"]): ["a", "b"]], refuses: [["a", "a"], [1]]),
        TypeSample(.set(.choice(.int, [1, 9])), [Set([Level.high, .low]): [1, 9]], refuses: [[2]]),
        TypeSample(
            .dictionary(.array(.optional(.int))),
            [["a": [1, nil], "": []]: ["a": [1, .null], "": []]],
            refuses: [["a": 1], []]
        ),
        TypeSample(
            .dictionary(.string(.dateTime)),
            [["x": noon]: ["x": "2001-01-01T00:00:00.250Z"], ["NSDate": noon]: ["NSDate": "2001-01-01T00:00:00.250Z"]],
            refuses: [["x": "noon"]]
        ),
        TypeSample(.dictionary(.string), [["NSData": "AP8="]: ["NSData": "AP8="]], refuses: []),
    ]
}
