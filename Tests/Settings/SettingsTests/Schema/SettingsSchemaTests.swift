import Foundation
import Testing

@testable import StoredSettings

@Suite("SettingsSchema")
struct SettingsSchemaTests {
    private let schema = LampSettings.schema

    @Test(
        arguments: [
            ("name", "lampe-äöü", nil),
            ("name", "äöüäöüäö", "äöüäöüäö"),
            ("brightness", .double(-0.0), 0),
            ("brightness", 100, 100),
            ("brightness", .double(7), 7),
            ("mode", "blink", "blink"),
            ("code", "1234", .secret(Secret("1234"))),
            ("code", "", .secret("")),
            ("address", "", ""),
            ("gain", 2, .double(2)),
            ("group", "x", "x"),
            ("is_on", true, true),
        ] as [(String, JSONValue, JSONValue?)]
    )
    func `A schema accepts and normalises`(key: String, value: JSONValue, expected: JSONValue?) throws {
        let result = schema.validate(patch: [key: value])
        if let expected {
            #expect(try result.get() == [key: expected])
        } else {
            #expect(throws: ValidationErrors.self) { try result.get() }
        }
    }

    @Test(
        arguments: [
            ("brightness", "7", .wrongType, "must be an integer, not a string"),
            ("brightness", 7.5, .wrongType, "must be an integer, not a number"),
            ("brightness", true, .wrongType, "must be an integer, not a boolean"),
            ("brightness", [1], .wrongType, "must be an integer, not a list"),
            ("brightness", 101, .outOfRange, "must be from 0 to 100"),
            ("brightness", -1, .outOfRange, "must be from 0 to 100"),
            ("name", "123456789", .tooLong, "must be at most 8 characters, and has 9"),
            ("name", "", .tooShort, "must not be empty"),
            ("mode", "disco", .invalidValue, #"must be one of "off", "steady", "blink""#),
            ("mode", 1, .wrongType, #"must be one of "off", "steady", "blink", not an integer"#),
            ("address", "a b", .invalidValue, "must not contain spaces"),
            ("gain", 2.5, .outOfRange, "must be from 0.0 to 2.0"),
            ("is_on", 1, .wrongType, "must be true or false, not an integer"),
            ("group", 1, .wrongType, "must be a string or null, not an integer"),
            ("brigthness", 1, .unknownKey, "is not a setting; did you mean brightness?"),
            ("Name", 1, .unknownKey, "is not a setting; did you mean name?"),
            ("colour_temperature", 1, .unknownKey, "is not a setting; correct its name, or leave it out"),
        ] as [(String, JSONValue, ValidationError.Code, String)]
    )
    func `A schema refuses, and says what is expected`(
        key: String,
        value: JSONValue,
        code: ValidationError.Code,
        message: String
    ) {
        let faults = #expect(throws: ValidationErrors.self) { try schema.validate(patch: [key: value]).get() }
        #expect(faults?.faults == [ValidationError(path: key, code: code, message: message)])
    }

    @Test func `A schema looks for the nearest name only for as many unknown ones as an answer lists`() {
        let patch = Dictionary(uniqueKeysWithValues: (10..<90).map { ("name\($0)", JSONValue.int(1)) })
        let faults = #expect(throws: ValidationErrors.self) { try schema.validate(patch: patch).get() }
        let hinted = faults?.faults.map { $0.message.contains("did you mean name?") }
        #expect(hinted == Array(repeating: true, count: 20) + Array(repeating: false, count: 60))
    }

    @Test func `A schema takes null as 'back to the default', and the mask of a secret as 'unchanged'`() throws {
        let changes = try schema.validate(patch: ["brightness": .null, "code": "********", "group": .null]).get()
        #expect(changes == ["brightness": nil, "group": nil])
        // Only a secret has a mask.
        #expect(try schema.validate(patch: ["address": "********"]).get() == ["address": "********"])
    }

    @Test func `A schema never repeats a secret, whatever its check says`() {
        let key = SettingsKey(
            "token",
            default: "",
            SettingMetadata(constraints: SettingConstraints(length: 0...12) { "must not be \($0)" }, isSecret: true)
        )
        let schema = SettingsSchema(key)
        for value in ["canary-1", "canary-that-is-too-long"] {
            let faults = #expect(throws: ValidationErrors.self) {
                try schema.validate(patch: ["token": .string(value)]).get()
            }
            #expect(faults?.description.contains("canary") == false)
        }
    }

    @Test func `A schema holds a moment to its constraints also where no calendar reaches`() throws {
        let days = Date(timeIntervalSinceReferenceDate: 0)...Date(timeIntervalSinceReferenceDate: 86_400)
        let schema = SettingsSchema(SettingsKey("day", default: days.lowerBound, in: days))
        #expect(try schema.validate(patch: ["day": 60]).get() == ["day": "2001-01-01T00:01:00Z"])
        for value: JSONValue in [86_401, -1, 1e17, -1e17, "2001-01-02T00:00:01Z"] {
            #expect(throws: ValidationErrors.self) { try schema.validate(patch: ["day": value]).get() }
        }
    }

    @Test func `A schema shortens an absurd name, and keeps control characters out of messages`() {
        let fault = schema.unknown(String(repeating: "x", count: 10_000))
        #expect(fault.path.count == 64 && fault.path.hasSuffix("…"))
        #expect(schema.unknown("a\n\u{1B}\u{9B}\u{202E}\u{2028}b").path == "a ??? b")
    }

    @Test(
        arguments: [
            ("is_on", "on", true), ("is_on", "FALSE", false), ("is_on", "0", false), ("is_on", "maybe", nil),
            ("brightness", "42", 42), ("brightness", "4x", nil), ("brightness", "420", nil), ("gain", "0.5", 0.5),
            ("name", "42", "42"), ("name", "true", "true"), ("mode", "blink", "blink"), ("mode", "x", nil),
            ("code", "0000", .secret(Secret("0000"))),
        ] as [(String, String, JSONValue?)]
    )
    func `A schema reads the words of a command line`(key: String, text: String, expected: JSONValue?) throws {
        let descriptor = try #require(schema[key])
        #expect((try? descriptor.validate(text: text).get()) == expected)
    }

    @Test func `A schema describes itself as JSON Schema`() throws {
        let schema = schema.jsonSchema(title: "Lamp")
        #expect(schema.objectValue?["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema.objectValue?["additionalProperties"] == false)
        let properties = try #require(schema.objectValue?["properties"]?.objectValue)
        #expect(properties.count == 9)
        #expect(
            properties["brightness"]
                == ["type": "integer", "default": 50, "minimum": 0, "maximum": 100, "description": "In percent."]
        )
        #expect(properties["mode"] == ["type": "string", "enum": ["off", "steady", "blink"], "default": "off"])
        #expect(properties["group"] == ["type": ["string", "null"], "default": .null])
        let code = try #require(properties["code"]?.objectValue)
        #expect(code["writeOnly"] == true)
        #expect(code["maxLength"] == 16)
        #expect(schema.json().contains(#""default":"""#))
    }

    @Test(arguments: [
        (SettingsKey("speed", default: 1.0, SettingMetadata(constraints: .allowed([1, 2, 5]))), [2.0], [2.5]),
        (SettingsKey("speed", default: 1.0, in: 0...10), [10.0], [10.5, -0.5]),
    ])
    func `A number is judged by its value, however it is written`(
        key: SettingsKey<Double>,
        accepted: [Double],
        refused: [Double]
    ) {
        #expect(accepted.allSatisfy { key.refusal(of: $0) == nil } && refused.allSatisfy { key.refusal(of: $0) != nil })
    }

    @Test func `A range limits whole numbers beyond 64 bits with a sign, which are texts`() throws {
        let key = SettingsKey("n", default: UInt64(5), in: 0...10)
        #expect(key.refusal(of: 1 << 63)?.code == .invalidValue && key.refusal(of: 10) == nil)
        let negative = SettingsKey("n", default: Int128(5), in: Int128(Int.min)...10)
        #expect(negative.refusal(of: Int128(Int.min) - 1) != nil && negative.refusal(of: Int128(Int.min)) == nil)
    }

    @Test func `A range has the order of its type, and not that of the raw values`() {
        let level = SettingsKey("level", default: LogLevel.info, in: .debug ... .warning)
        #expect([.debug, .info, .warning].allSatisfy { level.refusal(of: $0) == nil })
        #expect(level.refusal(of: .error)?.code == .invalidValue)
    }

    @Test func `A value that moved to the new name of its setting is the same value in both records`() {
        let key = SettingsKey("level", default: 5, SettingMetadata(previousKeys: ["old_level"]))
        func decoded(_ values: [String: JSONValue], after earlier: DecodedRecord? = nil) -> DecodedRecord {
            let record = SettingsRecord(values: values, revision: 1, updatedAt: .now, updatedBy: "")
            return DecodedRecord(record, by: SettingsSchema(key), after: earlier)
        }
        let former = decoded(["old_level": 7])
        let moved = decoded(["level": 7], after: former)
        #expect(moved.names(differingFrom: former) == [] && moved[key] == 7)
        #expect(decoded(["level": 8], after: former)[key] == 8)
    }
}

private enum LogLevel: Int, SettingRepresentable, Comparable {
    case error, warning, info, debug

    static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue > other.rawValue }
}
