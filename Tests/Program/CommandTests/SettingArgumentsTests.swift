import Bridge
import Foundation
import StoredSettings
import TestSupport
import Testing

@testable import printer2mqtt

@Suite("Settings on the command line")
struct SettingArgumentsTests {
    @Test(
        arguments: [
            ([], nil, [:]), (["x1"], "x1", [:]), (["name=a", "x1"], "x1", ["name": "a"]),
            (["printer_ip=192.0.2.7"], nil, ["printer_ip": "192.0.2.7"]),
            (["--printer-ip", "192.0.2.7"], nil, ["printer_ip": "192.0.2.7"]),
            (["--printer-ip", "192.0.2.7", "x1"], "x1", ["printer_ip": "192.0.2.7"]),
            (["--printer-ip=192.0.2.7"], nil, ["printer_ip": "192.0.2.7"]),
            (["--probe-interval", "60", "probe_enabled=no"], nil, ["probe_interval": 60, "probe_enabled": false]),
            (["--name=a", "x1", "model=x1c"], "x1", ["name": "a", "model": "x1c"]),
            (["name=a=b"], nil, ["name": "a=b"]),
            (["name="], nil, ["name": .null]), (["printer_ip="], nil, ["printer_ip": .null]),
            (["probe_interval=", "--model="], nil, ["probe_interval": .null, "model": .null]),
            (["name=a", "name=b"], nil, ["name": "b"]),
            (["--name=--model"], nil, ["name": "--model"]),
        ] as [([String], String?, [String: JSONValue])]
    )
    func `Settings are read from the command line in each form, with an id anywhere among them`(
        arguments: [String],
        id: String?,
        patch: [String: JSONValue]
    ) throws {
        let found = try SettingArguments.parse(arguments, environment: [:])
        #expect(found.id == id && found.patch == patch)
    }

    @Test(arguments: [
        (["--printer-ip"], "--printer-ip needs a value"),
        (["--name", "--model", "p1s"], "--name needs a value"),
        (["x1", "--name", "--model", "x1c"], "--name needs a value"),
        (
            ["x1", "name=Left", "printer"],
            "there are several ids: 'x1', 'printer'. Quote a value with blanks: name='Left printer'"
        ),
        (["printer_id=a"], "printer_id is not a setting; did you mean printer_ip?"),
        (["probe_interval=5"], "probe_interval must be from 15 to 86400"),
        (["probe_interval=soon"], "probe_interval must be an integer"),
        (
            ["printer_ip=a:322"],
            "printer_ip must be an address without port: the port of P1 and A1 cameras is always 6000, that of others is stream_port"
        ),
        (["--access-code-file", "/nowhere"], "the file /nowhere can't be read"),
        (["=x"], "'=x' is no setting: write <setting>=<value>"),
        (
            ["probe_interval=5", "weather=sunny"],
            "probe_interval must be from 15 to 86400; weather is not a setting; correct its name, or leave it out"
        ),
    ])
    func `What is no setting is refused, with what to write instead`(arguments: [String], message: String) {
        let failure = #expect(throws: CommandFailure.self) { try SettingArguments.parse(arguments, environment: [:]) }
        #expect(failure?.code == .usage && failure?.description == message)
    }

    @Test(arguments: [
        ["access_code=canary"], ["--access-code", "canary"], ["--access-code=canary"], ["accesscode=canary"],
    ])
    func `A secret is never taken from an argument, nor repeated`(arguments: [String]) {
        let failure = #expect(throws: CommandFailure.self) { try SettingArguments.parse(arguments, environment: [:]) }
        let text = failure?.description ?? "canary"
        #expect(failure?.code == .usage && text.contains("access_code") && !text.contains("canary"))
    }

    @Test func `A secret comes from a file, else from the environment; an empty file does not erase it`() throws {
        let directory = try TemporaryDirectory()
        try " 12 34 \r\n".write(to: directory.file("code"), atomically: true, encoding: .utf8)
        let environment = [SettingArguments.variable: "from-variable"]
        #expect(try SettingArguments.parse([], environment: environment).patch == ["access_code": "from-variable"])
        let file = directory.file("code")
        let arguments = ["--access-code-file", file.path, "x1"]
        let found = try SettingArguments.parse(arguments, environment: environment)
        #expect(found.id == "x1" && found.patch == ["access_code": "12 34"])
        try " \n".write(to: file, atomically: true, encoding: .utf8)
        let failure = #expect(throws: CommandFailure.self) { try SettingArguments.parse(arguments, environment: [:]) }
        #expect(failure?.description == "the file \(file.path) is empty: nothing was changed")
    }

    @Test func `The help names every setting with its choices, on 80 columns`() {
        let words = SettingArguments.help.split(whereSeparator: \.isWhitespace)
        for setting in PrinterSettings.schema.descriptors {
            let shown = setting.isSecret ? "  --access-code-file <file>\n" : "  \(setting.name)=<value>\n"
            #expect(SettingArguments.help.contains(shown))
            let sentence = setting.documentation.split(separator: " ")
            #expect(words.indices.contains { words[$0...].starts(with: sentence) }, "\(setting.name)")
        }
        for model in PrinterModel.allCases { #expect(SettingArguments.help.contains("\(model.rawValue)")) }
        for line in SettingArguments.help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
}

@Suite("Columns")
struct ColumnsTests {
    @Test(
        arguments: [
            ([["a", "bb"], ["ccc", "d"]], "a    bb\nccc  d"),
            ([["a", ""], ["b", "c"]], "a\nb  c"),
            ([["a"], ["b", "c"]], "a\nb  c"),
            ([["größe", "x"], ["🖨️", "y"]], "größe  x\n🖨️      y"),
            ([], ""), ([[]], ""),
        ] as [([[String]], String)]
    )
    func `Columns line up`(rows: [[String]], text: String) {
        #expect(TextTable(rows).description == text)
    }
}
