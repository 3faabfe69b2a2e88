import Foundation
import TestSupport
import Testing

@testable import printer2mqtt

@Suite("The command setup", .endsAll, .timeLimit(.minutes(5)))
struct SetupTests {
    @Test func `A person sets up broker, page and viewers, and each wrong answer is asked for again`() async throws {
        let broker = try await MosquittoBroker.start { $0.passwords = ["bridge": #"canary "1" # ü"#] }
        let file = projectFolder.appending(path: "config/printer2mqtt.yaml")
        let shipped = try String(contentsOf: file, encoding: .utf8)
        let program = try Program(shipped)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: program.file.path)
        let closed = try freePort()
        let session = try await TypedSession(
            program,
            ["setup"],
            [
                (#"10: "#, "http://nas"), (#"10: "#, ""), (#"10: "#, "127.0.0.1:\(closed)"),
                (#"none \[printer2mqtt\]: "#, "-"),
                (#"10: "#, "127.0.0.1:\(broker.port)"), (#"none \[printer2mqtt\]: "#, "bridge"),
                (#"not shown\): "#, "canary-wrong"),
                (#"none \[printer2mqtt\]: "#, "bridge"), (#"not shown\): "#, #"canary "1" # ü"#),
                (#"players( \[.*\])?: "#, "192.0.2.7"), (#"players( \[.*\])?: "#, "127.0.0.1"),
                (#"not shown\): "#, ""), (#"not shown\): "#, "canary"), (#"not shown\): "#, "canary of the page"),
                ("then press Enter: ", ""), (#"recognize printers\? y/n \[y\]: "#, "maybe"), (#"y/n \[y\]: "#, "no"),
                (#"Add a printer\? y/n \[y\]: "#, ""), ("ddress( of the printer)?: ", "127.0.0.1"), (#"out\): "#, ""),
                (#"not shown\): "#, "canary01"), (#"entities \[printer\]: "#, "bad id"),
                (#"entities \[printer\]: "#, "x1"), (#"Add another printer\? y/n \[n\]: "#, ""),
                (#"shows the cameras\? y/n \[y\]: "#, "n"),
            ]
        )
        #expect(session.status == 0, "\(session.screen)")
        for text in [
            "mqtt.url must be mqtt://host[:port], mqtts://host[:port] or unix:/path.",
            "Nothing accepts connections at mqtt://127.0.0.1:\(closed)", "refuses the user bridge",
            "192.0.2.7 is no address of this machine.", "http.password must be at least 8 characters, and has 6",
            "printer2mqtt.yaml is written. Now restart the bridge, then press Enter",
            "The page: http://127.0.0.1:9464/",
            "Added x1.", "No bridge runs: run 'printer2mqtt run'",
        ] { #expect(session.screen.contains(text), "\(text) is not in \(session.screen)") }
        #expect(!session.screen.contains("canary"))

        let text = try String(contentsOf: program.file, encoding: .utf8)
        let before = Set(shipped.components(separatedBy: "\n"))
        #expect(
            text.components(separatedBy: "\n").filter { !before.contains($0) } == [
                "  url: \"mqtt://127.0.0.1:\(broker.port)\"", #"  username: "bridge""#,
                #"  password: "canary \"1\" # ü""#, #"  host: "127.0.0.1""#, #"  password: "canary of the page""#,
                #"  host: "127.0.0.1""#,
            ]
        )
        #expect(FileStatus(program.file.path)?.mode == 0o100640)
        try #require(await program.run("printer", "set", "x1", "model=x1c").status == 0)
        let again = try await TypedSession(
            program,
            ["setup"],
            [
                (#"\]: "#, ""), (#"none \[bridge\]: "#, ""), (#"present one\): "#, ""),
                (#"players( \[.*\])?: "#, "127.0.0.1"), (#"present one\): "#, ""),
                (#"recognize printers\? y/n \[y\]: "#, "n"), (#"another printer\? y/n \[n\]: "#, ""),
                (#"shows the cameras\? y/n \[y\]: "#, "Y"),
            ]
        )
        #expect(again.status == 0, "\(again.screen)")
        let address = /x1 +Video +rtsp:\/\/viewer:[0-9a-f]{32}@127\.0\.0\.1:9554\/x1\n/
        #expect(again.screen.contains(address), "\(again.screen)")
        #expect(try String(contentsOf: program.file, encoding: .utf8) == text)
    }

    @Test func `A person accepts a printer's certificate and corrects its code while the bridge probes it`()
        async throws
    {
        let broker = try await MosquittoBroker.start()
        let program = try Program(broker: broker.port, "http:\n  port: \(try freePort())\nrtsp:\n  port: 0\n")
        let host = "127.78.\(Int.random(in: 1...254)).1"
        let printer = try program.start(["simulate", "--model", "p1s", "--host", host])
        try await printer.waitForOutput("ready")
        let bridge = try program.start()
        try await bridge.waitForOutput("printers")
        let session = try await TypedSession(
            program,
            ["setup"],
            [
                (#"10 \[.*\]: "#, ""), ("for none.*: ", "-"), (#"players( \[.*\])?: "#, "127.0.0.1"),
                (#"not shown\): "#, "canary of the page"), ("then press Enter: ", ""),
                (#"y/n \[y\]: "#, "n"), (#"Add a printer\? y/n \[y\]: "#, "y"), ("ddress( of the printer)?: ", ""),
                (#"Add a printer\? y/n \[y\]: "#, "y"), ("ddress( of the printer)?: ", host),
                (#"?out\): "#, "01P00A000000001"), (#"not shown\): "#, "canary01"), ("entities.*: ", "p1s"),
                (#"Accept this certificate\? y/n \[n\]: "#, "y"), (#"not shown\): "#, "12345678"),
                (#"another printer\? y/n \[n\]: "#, ""), (#"y/n \[y\]: "#, "n"),
            ]
        )
        #expect(session.status == 0, "\(session.screen)")
        for text in [
            "no address was given", "If you trust that issuer", "The access code is wrong", "The camera works.",
        ] {
            #expect(session.screen.contains(text), "\(text) is not in \(session.screen)")
        }
        #expect(!session.screen.contains("canary"))
    }

    @Test(
        arguments: [
            ("", "\nmqtt:\n  url: \"x\"\n"),
            ("http:\n  url: a\n", "http:\n  url: a\n\nmqtt:\n  url: \"x\"\n"),
            ("mqtt: # ours\n  # url: \"\"\nhttp:", "mqtt: # ours\n  url: \"x\"\nhttp:"),
            ("mqtt:\n    #url: \"\"\n    ca: c\n", "mqtt:\n    url: \"x\"\n    ca: c\n"),
            ("mqtt:\r\n # url: a\r\n url: b\r\n", "mqtt:\n # url: a\n url: \"x\"\n"),
            ("mqtt:\n  url2: b\nhttp:\n  url: c", "mqtt:\n  url: \"x\"\n  url2: b\nhttp:\n  url: c"),
        ]
    )
    func `A key gets its value in its own line, or in a new one`(before: String, after: String) {
        var text = ConfigText(before)
        text.set("mqtt.url", to: "x")
        #expect("\(text)" == after)
    }

    @Test func `A file of another form is refused first, and one stays as it is when a question has no answer`()
        async throws
    {
        let form = "mqtt: {url: 'mqtt://127.0.0.1'}\n"
        let program = try Program(form)
        let session = try await TypedSession(program, ["setup"], [])
        #expect(session.status == 78 && session.screen.contains("was not changed, because"), "\(session.screen)")
        #expect(try String(contentsOf: program.file, encoding: .utf8) == form)
        try program.write("")
        let ended = try await TypedSession(program, ["setup"], [(#"10: "#, "192.0.2.9"), (#"\]: "#, "\u{4}")])
        #expect(ended.status == 64 && ended.screen.contains("nothing was changed"), "\(ended.screen)")
        #expect(try Data(contentsOf: program.file).isEmpty)
        let piped = try await program.run("setup", input: "")
        #expect(piped.status == 64 && piped.output.contains("setup asks at a terminal"), "\(piped.output)")
    }
}
