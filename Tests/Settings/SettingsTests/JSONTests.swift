import ForeignText
import StoredSettings
import Testing

@Suite("JSON")
struct JSONTests {
    @Test(
        arguments: [
            ("null", .null),
            (" \t\r\n true ", true),
            ("false", false),
            ("0", 0),
            ("-0", 0),
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
            ("[ ]", []),
            ("[1,[2,[]]]", [1, [2, []]]),
            ("{}", [:]),
            (#"{ "a" : {"b":[null]} , "c":1 }"#, ["a": ["b": [.null]], "c": 1]),
            ("\"\u{7F}\"", "\u{7F}"),
        ] as [(String, JSONValue)]
    )
    func `JSON reads what RFC 8259 allows`(text: String, expected: JSONValue) throws {
        #expect(try JSONValue(json: text) == expected)
    }

    @Test(
        arguments: [
            (0, "", ["", "nul", "True", "NaN", "Infinity", "+1", ".5", "]", "// no\n1", "\u{FEFF}1"]),
            (1, "", ["01", "-", "0x10", "\"", "\"\n\"", "[", "[,1]", "{", "{a:1}", "{'a':1}"]),
            (2, "", ["  ", "1 2", "1.", "1e", "\"a", "\"\\", "\"\\x\"", "[1"]),
            (
                3, "",
                [
                    "1e+", "\"\\u12\"", "\"\\u12G4\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
                    "\"\\ud800\\n\"", "\"\\u+041\"", "\"\\u-000\"", "[1,", "[1,]", "[1 2]",
                ]
            ),
            (4, "", ["{\"a\""]),
            (5, "", ["{\"a\":", "{\"a\" 1}"]),
            (6, "", ["{\"a\":1"]),
            (7, "", ["{\"a\":1,}"]),
            (0, "is too large", ["1e999"]),
            (1, "is too large", [" -1e999"]),
            (7, "occurs twice", ["{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":1}"]),
        ] as [(Int, String, [String])]
    )
    func `JSON refuses all else, and says where`(offset: Int, words: String, texts: [String]) {
        for text in texts {
            let error = #expect(throws: JSONError.self, "\(text)") { try JSONValue(json: text.utf8) }
            #expect(error?.description.contains("at byte \(offset)") == true, "\(text)")
            #expect(error?.description.hasSuffix(words) == true, "\(text)")
        }
    }

    @Test(
        arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]] as [[UInt8]]
    )
    func `JSON refuses bytes that are not UTF-8`(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let error = #expect(throws: JSONError.self) { try JSONValue(json: [quote] + bytes + [quote]) }
        #expect(error?.description == "the string at byte 0 is not UTF-8")
        #expect(throws: JSONError.self) { try JSONValue(json: bytes) }
    }

    @Test func `JSON limits bytes, values and nesting, and holds against a million brackets`() throws {
        let limits = JSONLimits(bytes: 10, depth: 2)
        #expect(try JSONValue(json: #"[[1],"ab"]"#, limits: limits) == [[1], "ab"])
        #expect(throws: JSONError.self) { try JSONValue(json: #"[[1],"abc"]"#, limits: limits) }
        let few = JSONLimits(values: 4)
        #expect(try JSONValue(json: "[[1],2]", limits: few) == [[1], 2])
        #expect(throws: JSONError.self) { try JSONValue(json: "[[1],2,{}]", limits: few) }
        let deep = #expect(throws: JSONError.self) { try JSONValue(json: "[[[]]]", limits: limits) }
        #expect(deep?.description == "more than 2 lists and objects inside one another")

        let brackets = Array(repeating: UInt8(ascii: "["), count: 1_000_000)
        let large = #expect(throws: JSONError.self) { try JSONValue(json: brackets) }
        #expect(large?.description == "more than 65536 bytes")
        let greedy = JSONLimits(bytes: .max, depth: .max)
        #expect(greedy.depth == 512)
        let nested = #expect(throws: JSONError.self) { try JSONValue(json: brackets, limits: greedy) }
        #expect(nested?.description == "more than 512 lists and objects inside one another")
    }

    @Test(arguments: [("\u{301}\u{316}", "\\u0301\\u0316"), ("\u{344}\u{F73}", "\\u0344\\u0F73")])
    func `JSON refuses names and values that compare in quadratic time, in bytes and in escapes`(
        marks: String,
        escapes: String
    ) throws {
        for text in [marks, escapes] {
            let most = "a" + String(repeating: text, count: String.combiningMarkLimit / 2)
            #expect(try JSONValue(json: #"{"\#(most)b\#(most)": "\#(most)"}"#).objectValue?.count == 1)
            for json in [#"{"\#(most)\#(text)": 1}"#, #"["\#(most)\#(text)"]"#] {
                let error = #expect(throws: JSONError.self) { try JSONValue(json: json.utf8) }
                #expect(error?.description == "the string at byte 1 has more than 30 combining marks in a row")
                #expect(throws: Never.self) { try JSONValue(json: json, limits: .stored) }
            }
        }
    }

    @Test func `An error never quotes what it refuses`() {
        let error = #expect(throws: JSONError.self) { try JSONValue(json: #"{"access_code": "canary-77" x}"#) }
        #expect(error?.description.contains("canary") == false)
    }

    @Test func `JSON writes sorted names, no spaces and only the escapes that must be`() {
        let value: JSONValue = [
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

    @Test(arguments: 1...20)
    func `JSON escapes exactly the signs that must be, at each place of a text`(length: Int) {
        for (place, byte) in (0..<length).flatMap({ place in (UInt8(0)..<0x80).map { (place, $0) } }) {
            var bytes = [UInt8](repeating: UInt8(ascii: "!"), count: length)
            bytes[place] = byte
            let isEscaped = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            let json = JSONValue.string(String(decoding: bytes, as: UTF8.self)).json()
            #expect(
                json.contains("\\") == isEscaped
                    && (try? JSONValue(json: json).stringValue?.utf8.elementsEqual(bytes)) == true
            )
        }
    }

    @Test func `JSON masks a set secret, and shows that an empty one is empty`() {
        let value: JSONValue = ["code": .secret(Secret("12345678")), "none": .secret("")]
        #expect(value.json() == #"{"code":"********","none":""}"#)
    }

    @Test func `A JSON string keeps each byte of a text, even if a mark combines with a quotation mark`() {
        #expect("\"\u{301}ab\u{600}".jsonEscaped == "\\\"\u{301}ab\u{600}")
    }
}
