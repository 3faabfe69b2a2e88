import Foundation
import SettingsSamples
import StoredSettings
import TestSupport
import Testing

@Suite("The JSON Schema of a setting")
struct JSONSchemaTests {
    /// Reads lines of schema, value and what is expected of the two, and prints the lines where it is not so.
    private static let validator = """
        import json, sys
        from jsonschema import Draft202012Validator
        for line in sys.stdin:
            schema, value, accepted = json.loads(line)
            Draft202012Validator.check_schema(schema)
            if Draft202012Validator(schema).is_valid(value) != accepted:
                print(line, end="")
        print("done")
        """

    @Test func `In another validator a schema accepts what its setting does, as far as it can tell`() async throws {
        var lines: [JSONValue] = []
        for sample in TypeSample.all {
            let schema = sample.descriptor.jsonSchema()
            for value in sample.stored where sample.isDescribed(by: value) { lines.append([schema, value, true]) }
            guard sample.isTold else { continue }
            for value in sample.refused where sample.isTold(of: value) { lines.append([schema, value, false]) }
        }
        let atLeast = SettingDescriptor(
            SettingsKey("a", default: 1.0, in: 0...Double.infinity, SettingMetadata())
        )
        lines += [[atLeast.jsonSchema(), 1e300, true], [atLeast.jsonSchema(), -1, false]]
        let below = SettingDescriptor(SettingsKey("a", default: 0.5, in: 1.0...2.0))
        let above = SettingDescriptor(
            SettingsKey("a", default: "long", SettingMetadata(constraints: SettingConstraints(length: 1...2)))
        )
        lines += [[below.jsonSchema(), 0.5, true], [above.jsonSchema(), "long", true]]
        let endless = SettingDescriptor(SettingsKey("a", default: Double.infinity))
        lines.append([endless.jsonSchema(), 1, true])
        let input = lines.map { $0.json() + "\n" }.joined()
        #expect(try await ChildProcess.run("/usr/bin/python3", ["-c", Self.validator], input: input) == "done\n")
        #expect(lines.count > 80)
    }
}

extension TypeSample {
    /// Whether the schema says all about the type.
    fileprivate var isTold: Bool {
        // An optional within an optional is a list, of one.
        if testDescription == "Optional<Optional<Int>>" { return false }
        switch type.innermost {
        case .json, .string(.some): return false
        default: return true
        }
    }

    /// A schema knows no secrets, no rounding, and no texts that stand for small numbers.
    fileprivate func isTold(of value: JSONValue) -> Bool {
        switch value {
        case .secret: false
        case .double(let number): number.magnitude < 1e10
        case .string:
            if case .integer(let bits, let isSigned) = type { bits < 64 || bits == 64 && isSigned } else { true }
        default: true
        }
    }

    /// A moment beyond all calendars is a number, which a schema for people does not tell.
    fileprivate func isDescribed(by value: JSONValue) -> Bool {
        if case .double = value { type != .string(.dateTime) } else { true }
    }
}

extension SettingType {
    fileprivate var innermost: SettingType {
        switch self {
        case .array(let type), .set(let type), .dictionary(let type), .optional(let type), .secret(let type):
            type.innermost
        default: self
        }
    }
}
