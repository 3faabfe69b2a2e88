import StoredSettings
import TestSupport
import Testing

@Suite("JSON")
struct JSONTests {
    @Test(
        "reads what RFC 8259 allows",
        arguments: [
            ("null", .null),
            (" \t\r\n true ", true),
            ("false", false),
            ("0", 0),
            ("-0", 0),
            ("-12", -12),
            ("9223372036854775807", .int(.max)),
            ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)),
            ("1.0", .double(1)),
            ("1e3", .double(1000)),
            ("-2.5E-1", .double(-0.25)),
            ("1e-400", .double(0)),
            (#""""#, ""),
            (#""aé€😀""#, "aé€😀"),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0000\u00e9\uD83D\uDE00""#, "\0é😀"),
            ("[]", []),
            ("[ ]", []),
            ("[1,[2,[]]]", [1, [2, []]]),
            ("{}", [:]),
            (#"{ "a" : {"b":[null]} , "c":1 }"#, ["a": ["b": [.null]], "c": 1]),
            ("\"\u{7F}\"", "\u{7F}"),
        ] as [(String, SettingValue)]
    )
    func reads(text: String, expected: SettingValue) throws {
        #expect(try SettingValue(json: text) == expected)
    }

    @Test(
        "refuses all else, and says where",
        arguments: [
            ("", .invalid, 0),
            ("  ", .invalid, 2),
            ("nul", .invalid, 0),
            ("True", .invalid, 0),
            ("NaN", .invalid, 0),
            ("Infinity", .invalid, 0),
            ("1 2", .invalid, 2),
            ("01", .invalid, 1),
            ("+1", .invalid, 0),
            (".5", .invalid, 0),
            ("1.", .invalid, 2),
            ("1e", .invalid, 2),
            ("1e+", .invalid, 3),
            ("-", .invalid, 1),
            ("0x10", .invalid, 1),
            ("1e999", .numberTooLarge, 0),
            (" -1e999", .numberTooLarge, 1),
            ("\"", .invalid, 1),
            ("\"a", .invalid, 2),
            ("\"\\", .invalid, 2),
            ("\"\\x\"", .invalid, 2),
            ("\"\\u12\"", .invalid, 3),
            ("\"\\u12G4\"", .invalid, 3),
            ("\"\\ud800\"", .invalid, 3),
            ("\"\\udc00\"", .invalid, 3),
            ("\"\\ud800\\u0041\"", .invalid, 3),
            ("\"\\ud800\\n\"", .invalid, 3),
            ("\"\n\"", .invalid, 1),
            ("[", .invalid, 1),
            ("[1", .invalid, 2),
            ("[1,", .invalid, 3),
            ("[1,]", .invalid, 3),
            ("[,1]", .invalid, 1),
            ("[1 2]", .invalid, 3),
            ("]", .invalid, 0),
            ("{", .invalid, 1),
            ("{\"a\"", .invalid, 4),
            ("{\"a\":", .invalid, 5),
            ("{\"a\":1", .invalid, 6),
            ("{\"a\":1,}", .invalid, 7),
            ("{a:1}", .invalid, 1),
            ("{'a':1}", .invalid, 1),
            ("{\"a\" 1}", .invalid, 5),
            ("{\"a\":1,\"a\":2}", .duplicateName, 7),
            ("{\"a\":1,\"\\u0061\":1}", .duplicateName, 7),
            ("// no\n1", .invalid, 0),
            ("\u{FEFF}1", .invalid, 0),
        ] as [(String, JSONError.Code, Int)]
    )
    func refuses(text: String, code: JSONError.Code, offset: Int) {
        let error = #expect(throws: JSONError.self) { try SettingValue(json: text) }
        #expect(error?.code == code)
        #expect(error?.offset == offset)
    }

    @Test(
        "refuses bytes that are not UTF-8",
        arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]] as [[UInt8]]
    )
    func invalidUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let error = #expect(throws: JSONError.self) { try SettingValue(json: [quote] + bytes + [quote]) }
        #expect(error?.code == .invalid)
        #expect(throws: JSONError.self) { try SettingValue(json: bytes) }
    }

    @Test("limits bytes and nesting, and holds against a million brackets")
    func limits() throws {
        let limits = JSONLimits(bytes: 10, depth: 2)
        #expect(try SettingValue(json: #"[[1],"ab"]"#, limits: limits) == [[1], "ab"])
        #expect(throws: JSONError.self) { try SettingValue(json: #"[[1],"abc"]"#, limits: limits) }
        let deep = #expect(throws: JSONError.self) { try SettingValue(json: "[[[]]]", limits: limits) }
        #expect(deep?.code == .tooDeep)
        #expect(deep?.offset == 2)

        let brackets = Array(repeating: UInt8(ascii: "["), count: 1_000_000)
        let large = #expect(throws: JSONError.self) { try SettingValue(json: brackets) }
        #expect(large?.code == .tooLarge)
        let greedy = JSONLimits(bytes: .max, depth: .max)
        #expect(greedy.depth == 512)
        let nested = #expect(throws: JSONError.self) { try SettingValue(json: brackets, limits: greedy) }
        #expect(nested?.code == .tooDeep)
    }

    @Test(
        "refuses names and values that would take quadratic time to compare, in bytes and in escapes",
        arguments: [("\u{301}\u{316}", "\\u0301\\u0316"), ("\u{344}\u{F73}", "\\u0344\\u0F73")]
    )
    func combiningMarks(marks: String, escapes: String) throws {
        for text in [marks, escapes] {
            let most = "a" + String(repeating: text, count: String.combiningMarkLimit / 2)
            #expect(try SettingValue(json: #"{"\#(most)b\#(most)": "\#(most)"}"#).objectValue?.count == 1)
            for json in [#"{"\#(most)\#(text)": 1}"#, #"["\#(most)\#(text)"]"#] {
                let error = #expect(throws: JSONError.self) { try SettingValue(json: json) }
                #expect(error?.code == .invalid && error?.offset == 1)
                #expect(error?.description == "the string at byte 1 has more than 30 combining marks in a row")
                #expect(throws: Never.self) { try SettingValue(json: json, limits: .stored) }
            }
        }
    }

    @Test("counts every character that normalisation sorts")
    func combiningClasses() {
        let sorted = (0..<0x11_0000).compactMap(Unicode.Scalar.init).filter {
            $0.properties.canonicalCombiningClass != .notReordered
        }
        #expect(sorted.count > 900)
        let missed = sorted.filter { scalar in
            String(String.UnicodeScalarView(repeatElement(scalar, count: 31))).isStreamSafe
        }
        #expect(missed.isEmpty)
        #expect("Größe ✓ 打印机 ที่ เครื่อง ก็ 프린터 🖨️🇩🇪".isStreamSafe)
    }

    @Test("an error never quotes what it refuses")
    func noQuotes() {
        let error = #expect(throws: JSONError.self) { try SettingValue(json: #"{"access_code": "canary-77" x}"#) }
        #expect(error?.description.contains("canary") == false)
    }

    @Test("writes sorted names, no spaces and only the escapes that must be")
    func writes() {
        let value: SettingValue = [
            "z": [1, 2.5, -0.0, true, .null],
            "a\"\\": "\u{1}\u{1F}\n\t/é😀",
            "inf": .double(.infinity),
            "big": 1e300,
        ]
        let expected = #"{"a\"\\":"\u0001\u001f\n\t/é😀","big":1e+300,"inf":null,"z":[1,2.5,-0.0,true,null]}"#
        #expect(value.json() == expected)
        #expect(value.description == expected)
        #expect(value.jsonBytes() == Array(expected.utf8))
    }

    @Test("masks a set secret, and shows that an empty one is empty")
    func masks() {
        let value: SettingValue = ["code": .secret(Secret("12345678")), "none": .secret("")]
        #expect(value.json() == #"{"code":"********","none":""}"#)
    }

    @Test("gives back what it wrote, and survives any damage to it", arguments: 0..<20)
    func fuzz(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let value = SettingValue.random(using: &random)
            var bytes = value.jsonBytes()
            #expect(try SettingValue(json: bytes) == value)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = UInt8.random(in: .min ... .max, using: &random)
                case 1 where bytes.count > 1: bytes.remove(at: at)
                default:
                    bytes.insert(
                        UInt8(ascii: Unicode.Scalar("[]{}\",:\\eE-0u".utf8.randomElement(using: &random)!)),
                        at: at
                    )
                }
            }
            // Whatever is accepted means the same after another round.
            if let damaged = try? SettingValue(json: bytes) {
                #expect(try SettingValue(json: damaged.json()) == damaged)
            }
        }
    }
}
