import CameraProtocols
import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

@Suite struct PrinterSettingsTests {
    @Test(arguments: [
        ("name", "  "), ("access_code", " "), ("serial", "  "), ("stream_user", "  "), ("name", "\u{200d}"),
        ("name", "\u{3000}"), ("name", "\u{fe0f}\u{200c}"), ("name", "\u{e0061}"),
    ])
    func `Blanks or unseen characters alone are no name, code, serial number or user`(setting: String, text: String) {
        let faults = PrinterSettings.faults(in: [setting: .string(text)])
        #expect(faults.map { "\($0.path) \($0.message)" } == ["\(setting) must not be blanks alone"])
    }

    @Test(
        arguments: ["12345678 ", " 12345678", "\t12345678\r\n", "\u{a0}12345678\u{3000}"],
        ["name", "access_code", "serial"]
    )
    func `Blanks at the ends of what people paste are left out`(pasted: String, setting: String) throws {
        let patch = try PrinterSettings.schema.validate(patch: [setting: .string(pasted)]).get()
        let expected: JSONValue = setting == "access_code" ? .secret("12345678") : "12345678"
        #expect(patch == [setting: expected])
        let byText = try #require(PrinterSettings.schema[setting]).validate(text: pasted)
        #expect(try byText.get() == expected)
    }

    @Test(arguments: [
        ("access_code", "1234\u{200b}5678", "U+200B ZERO WIDTH SPACE"),
        ("access_code", "1234567\u{ff18}", "U+FF18 FULLWIDTH DIGIT EIGHT"),
        ("serial", "01P00A 000001", "blanks"), ("access_code", "\u{661}2345678", "U+0661 ARABIC-INDIC DIGIT ONE"),
        ("access_code", "1234\u{a0}5678", "U+00A0 NO-BREAK SPACE"),
        ("access_code", "\u{feff}12345678", "U+FEFF ZERO WIDTH NO-BREAK SPACE"),
        ("access_code", "1234\u{7}5678", "control characters"),
        ("serial", "01P00A\u{2010}000001", "U+2010 HYPHEN"), ("serial", "01P00A\u{41e}0000001", "U+041E CYRILLIC"),
        ("printer_ip", "192.0.2.7\u{200b}", "U+200B ZERO WIDTH SPACE"),
        ("printer_ip", "\u{ff11}92.0.2.7", "U+FF11 FULLWIDTH DIGIT ONE"),
        ("name", "Work\u{200b}shop", "U+200B ZERO WIDTH SPACE"), ("name", "a\u{202e}b", "U+202E"),
        ("name", "Work\u{a0}shop", "U+00A0 NO-BREAK SPACE"), ("name", "soft\u{ad}hyphen", "U+00AD SOFT HYPHEN"),
        ("stream_user", "bblp\u{200b}", "U+200B ZERO WIDTH SPACE"),
        ("access_code", "1234 5678", "blanks"), ("access_code", "12 34 56 7a", "blanks"),
        ("access_code", "1234\u{3000}5678", "U+3000 IDEOGRAPHIC SPACE"),
        ("access_code", "1234\u{200d}5678", "U+200D ZERO WIDTH JOINER"),
        ("access_code", "1234\u{3164}5678", "U+3164 HANGUL FILLER"),
        ("name", "Work\u{3164}shop", "U+3164 HANGUL FILLER"),
        ("name", "a\u{2800}b", "U+2800 BRAILLE PATTERN BLANK"),
        ("name", "a\u{34f}b", "U+034F COMBINING GRAPHEME JOINER"),
    ])
    func `A character that people do not see, or take for another one, is refused by its name`(
        setting: String,
        text: String,
        character: String
    ) {
        let fault = PrinterSettings.faults(in: [setting: .string(text)]).first
        #expect(fault?.message.hasPrefix("must not contain \(character)") == true)
    }

    @Test(arguments: ["my garden", "1234 567", "1234 56789", "12 3-5678", "a b"])
    func `Another camera's password may have blanks`(password: String) throws {
        let patch = try PrinterSettings.schema.validate(patch: ["access_code": .string(password)]).get()
        #expect(patch == ["access_code": .secret(Secret(password))])
    }

    @Test(
        arguments: [
            (["model": "p1s"], "123", "this has 3 characters"),
            (["model": "x1c"], "bblp12345678", "this is the user bblp and the code in one"),
            (["serial": "01P00A000000001"], "01P00A000000001", "this is the serial number"),
            (["model": "a1"], "1234-678", "this has other signs in it"), (["model": "a1"], "1234567a", nil),
            (["model": "auto"], "123", nil), (["model": "other", "camera_url": "http://192.0.2.9/"], "123", nil),
            (["model": "x1c", "camera_url": "http://192.0.2.9/"], "123", nil),
        ] as [([String: JSONValue], String, String?)]
    )
    func `An access code that a known model cannot have is refused, with what it looks like`(
        values: [String: JSONValue],
        code: String,
        appearance: String?
    ) async throws {
        let registry = PrinterRegistry(over: InMemorySettingsStore())
        let patch = values.merging(["access_code": .string(code)]) { $1 }
        let result = try #require(await registry.change("x1", patch, source: .request))
        #expect(result.status == (appearance == nil ? .applied : .invalid))
        #expect(result.errors.map(\.path) == (appearance == nil ? [] : ["access_code"]))
        if let appearance { #expect(result.errors.first?.message.contains(appearance) == true, "\(result.errors)") }
        // What is stored already does not keep an owner from changing something else.
        _ = await registry.change("x2", ["access_code": "123"], source: .request)
        #expect(await registry.change("x2", ["model": "x1c"], source: .request)?.status == .applied)
    }

    @Test(arguments: ["打印机 2", "Drucker 👩‍🔧", "چاپ‌گر", "プリンタ　一", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"])
    func `Names in any language and emoji are names`(name: String) {
        #expect(PrinterSettings.faults(in: ["name": .string(name)]).isEmpty)
    }

    @Test(arguments: [
        ("ip", "printer_ip"), ("code", "access_code"), ("serial_number", "serial"), ("acces_code", "access_code"),
        ("IP", "printer_ip"),
    ])
    func `Who writes a setting's name as other programs spell it is told ours`(other: String, ours: String) {
        let message = PrinterSettings.faults(in: [other: "x"]).first?.message
        #expect(message == "is not a setting; did you mean \(ours)?")
    }

    @Test(arguments: [
        ("12345678", "12345678"), ("p@ss", "p%40ss"), ("a:b", "a%3Ab"), ("a/b", "a%2Fb"), ("50%", "50%25"),
        ("a#b", "a%23b"), ("a?b", "a%3Fb"), ("a b", "a%20b"), ("müßig", "m%C3%BC%C3%9Fig"), ("%41", "%2541"),
        ("a+b&c=d", "a%2Bb%26c%3Dd"), ("'\"<>\\", "%27%22%3C%3E%5C"),
    ])
    func `An access code survives the way through the URL`(code: String, encoded: String) throws {
        let configuration = PrinterSettings.Snapshot.configured(["access_code": .secret(Secret(code))])
        let url = try #require(configuration.streamURL)
        #expect(url.revealed() == "rtsps://bblp:\(encoded)@192.0.2.7:322/streaming/live/1")
        #expect(try StreamURL(parsing: url.revealed()) == url)
        #expect(!"\(url)".contains(encoded))
    }

    @Test(
        arguments: [
            ["access_code": "@/:?#[]%\"\\ é🖨️"], ["stream_user": "日本"], ["stream_path": "/%zz"],
            ["stream_path": "/a?b=c&d"],
            ["stream_path": .string("/" + String(repeating: "~", count: 254))], ["stream_port": 65_535],
            ["stream_port": 1],
        ] as [[String: JSONValue]]
    )
    func `Whatever the schema accepts as a configured printer has a URL`(change: [String: JSONValue]) throws {
        let patch = try PrinterSettings.schema.validate(patch: change).get()
        #expect(PrinterSettings.Snapshot.configured(patch.compactMapValues(\.self)).streamURL != nil)
    }
}
