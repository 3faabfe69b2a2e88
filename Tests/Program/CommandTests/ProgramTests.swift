import Foundation
import NIOCore
import NIOPosix
import TestSupport
import Testing

@Suite("The program", .endsAll, .timeLimit(.minutes(5)))
struct ProgramTests {
    @Test(arguments: [
        (["--help"], "USAGE: printer2mqtt <subcommand>"),
        (["--version"], "0."),
        (["printer", "add", "--help"], "--access-code-file <file>"), (["printer", "add", "--help"], "creality_k1"),
        (["config", "schema"], "https://json-schema.org/draft/2020-12/schema"),
        (["config", "check"], "The configuration is valid."),
        (["config", "show"], "PRINTER2MQTT_MQTT_URL"),
        (["printer", "list"], "STATUS"),
        (["authorities"], "BBL CA                 missing"),
        (["topics"], "printer2mqtt/bridge/info"),
    ])
    func `The program does what it is asked`(arguments: [String], output: String) async throws {
        try await Program().check(arguments, says: output)
    }

    @Test(arguments: [
        (["frobnicate"], 64, "frobnicate"),
        (["run", "--frobnicate"], 64, "--frobnicate"),
        (["probe"], 64, "Give either the address of a stream or --printer with an id."),
        (["probe", "ftp://127.0.0.1"], 64, "rtsp"),
        (["probe", "x1c"], 64, "http://; for a printer, write --printer x1c\n"),
        (["probe", "rtsps://[fe80::1%25eth0]/streaming/live/1"], 64, "an IPv6 address with a zone"),
        (
            ["probe", "--printer", "x1"], 64,
            "there is no printer x1: 'printer2mqtt printer list' shows those there are"
        ),
        (["probe", "rtsp://127.0.0.1:1/a"], 1, "tcp_refused"),
        (["probe", "rtsp://h/a", "rtsps://bblp:canary9@h/"], 64, "Unexpected argument 'rtsps://********@h/'"),
        (["probe", "--printer", "rtsps://bblp:canary9@h/"], 64, "'rtsps://********@h/' can't be a printer's id"),
        (["printer", "add"], 64, "name the printer"), (["printer", "show", "x1"], 64, "there is no printer x1"),
        (["printer", "show", "X 1"], 64, "'X 1' can't be a printer's id"),
        (["printer", "set", "x1"], 64, "nothing to set: name a setting, as in printer_ip=192.0.2.7"),
        (["printer", "add", "x1", "--access-code", "1"], 64, "use --access-code-file FILE (- is standard input)"),
        (["printer", "add", "k1", "--camera", "k9", "--printer-ip", "192.0.2.9"], 64, "choose one of"),
        (["printer", "add", "k1", "--camera", "klipper"], 64, "--printer-ip ADDRESS"),
        (["printer", "add", "k1", "camera_url=http://me:canary9@cam/"], 64, "set stream_user and access_code"),
        (["printer", "add", "k1", "--camera-url", "rtsp://canary9@cam/"], 64, "set stream_user and access_code"),
        (["simulate", "--host", "printer"], 64, "--host must be an IPv4 address with room for 1 printers."),
        (
            ["simulate", "--host", "255.255.255.255", "--count", "2"], 64,
            "--host must be an IPv4 address with room for 2 printers."
        ),
        (["simulate", "--mqtt-port", "65536"], 64, "--mqtt-port must leave room for 1 ports up to 65535."),
        (["simulate", "--print", "--print-minutes", "0"], 64, "--print-minutes must be from 0.05 to 10000."),
        (["simulate", "--model", "k1"], 64, "a1_mini"), (["simulate", "--liveview", "maybe"], 64, "--liveview"),
        (
            ["run", "--config", "/nowhere"], 78,
            "name another file with --config; the default is /etc/printer2mqtt/printer2mqtt.yaml"
        ),
        (["authorities", "get", "--from", "/etc/hostname"], 69, "holds no certificate of the vendor's authorities"),
        (["authorities", "get", "--from", "/dev/zero"], 64, "/dev/zero is larger than 64 KiB"),
        (["authorities", "get", "--from", "http://h/ca"], 69, "the address must begin with https://"),
        (["health"], 1, "printer2mqtt; to start it, run 'printer2mqtt run'"),
    ])
    func `The program says in one sentence what to change, with the code of the contract`(
        arguments: [String],
        status: Int32,
        message: String
    ) async throws {
        let output = try await Program().check(arguments, status: status, says: message)
        for hidden in ["CommandFailure", "Swift.", "canary"] { #expect(!output.contains(hidden), "\(output)") }
    }

    @Test(arguments: [
        "", "run", "probe", "printer", "printer list", "printer show", "printer add", "printer set", "printer rename",
        "printer remove", "printer accept-certificate", "topics", "config", "config check", "authorities",
        "authorities get", "doctor", "health", "snapshot", "simulate",
    ])
    func `The help of each command fits 80 columns`(command: String) async throws {
        let help = command.split(separator: " ").map(String.init) + ["--help"]
        for line in try await Program().check(help, says: "USAGE").split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test func `A mistake in the file or the environment ends every command with 78`() async throws {
        let program = try Program("mqtt:\n  urll: mqtt://b\n")
        let fault = "\(program.file.path):2: mqtt.urll is not a setting; did you mean mqtt.url?"
        for command in [["run"], ["printer", "list"], ["topics"], ["config", "check"]] {
            #expect(try await program.check(command, status: 78) == "printer2mqtt: \(fault)\n")
        }
        try program.write("mqtt:\n  urll: x\n  username: u\n  password: canary\nlog:\n  level: loud\n")
        let shown = try await program.check(["config", "show"], status: 78)
        #expect(!shown.contains("canary"), "\(shown)")
        for line in [
            /mqtt.username +"u" +.+:3  PRINTER2MQTT/, /mqtt.password +"\*{8}" +.+:4  PRINTER2MQTT_MQTT_PASSWORD/,
            /log.level +"info" +default/, /:2: mqtt.urll is not a setting/, /:6: log.level must be/,
        ] { #expect(shown.contains(line), "\(shown)") }
        try program.write("mqtt:\n  url: mqtt://b\n  username: u\n  password: canary #1\n")
        let cut = try await program.check(["config", "check"], says: "yaml:4. If the secret goes on")
        #expect(!cut.contains("canary"))
        let other = ["PRINTER2MQTT_WEATHER": "x"]
        let refused = try await Program().check(["config", "check"], environment: other, status: 78)
        #expect(refused.hasPrefix("printer2mqtt: PRINTER2MQTT_WEATHER: is not a variable of printer2mqtt"))
    }

    @Test func `A certificate of the bridge's own that has expired is told`() async throws {
        let expired = try await TestCertificates(.expired)
        let trust = "  certificate: \(expired.chain.path)\n  key: \(expired.key.path)\n"
        try await Program("mqtt:\n  url: mqtts://b\n\(trust)")
            .check(["config", "check"], says: "warning: mqtt.certificate is valid from", "only. Renew it")
    }

    @Test(arguments: [
        ("http:\n  host: 0.0.0.0\n", "http.host is 0.0.0.0, so others reach the page: set http.password, or"),
        ("http:\n  host: '::0'\n", "http.host is ::0, so others reach the page: set http.password, or"),
        (
            "http:\n  host: 127.example.org\n",
            "http.host is 127.example.org, so others reach the page: set http.password, or"
        ),
        (
            "mqtt:\n  url: mqtts://127.0.0.1:1\n  certificate: LEAF\n  key: OTHER\n",
            "TLS to the broker can't be set up: "
        ),
    ])
    func `A fault that prevents a bridge's start fails 'config check' but no other command`(
        configuration: String,
        fault: String
    ) async throws {
        let (certificates, others) = (try await TestCertificates(), try await TestCertificates())
        let text = configuration.replacing("LEAF", with: certificates.chain.path)
        let program = try Program(text.replacing("OTHER", with: others.key.path))
        for command in [["config", "check"], ["run"]] {
            let output = try await program.check(command, status: 78)
            #expect(output.hasPrefix("printer2mqtt: \(fault)"), "\(output)")
            let namesVariable = output.contains("PRINTER2MQTT_HTTP_PASSWORD_FILE")
            #expect(namesVariable == configuration.contains("http:"), "\(output)")
        }
        try await program.check(["config", "show"])
    }

    @Test func `An access code in the file that a stored printer refuses is found beside a bridge, and makes no store`()
        async throws
    {
        let broker = try await MosquittoBroker.start()
        let program = try Program(broker: broker.port)
        let good = try String(contentsOf: program.file, encoding: .utf8)
        let wrong = good + "printers:\n  x1:\n    access_code: canary1\n"
        try program.write(wrong)
        try await program.check(["config", "check"], says: "The configuration is valid.")
        #expect(!FileManager.default.fileExists(atPath: program.state.path))
        try program.write(good)
        try await program.add("x1", ["printer_ip=192.0.2.7", "model=x1c", "probe_enabled=false"])
        let bridge = try program.start()
        try await bridge.waitForOutput("Connected to the broker")
        try await program.check(["config", "check"])
        try program.write(wrong)
        for (command, status) in [(["config", "check"], 78), (["doctor"], 1), (["run"], 78)] {
            if command == ["run"] { await bridge.stop() }
            let text = "printers.x1.access_code must be the eight letters or digits on the printer's screen"
            let output = try await program.check(command, status: Int32(status), says: text)
            #expect(!output.contains("canary"), "\(output)")
        }
    }

    @Test func `A store that can't be had ends with 78, or with 69 where it may get better`() async throws {
        let program = try Program("store:\n  path: /proc/a\n")
        let output = try await program.check(["printer", "list"], status: 78)
        let fault = "the folder /proc/a cannot be made: No such file or directory."
        let advice = "Run the command as the folder's owner, or name another one with store.path"
        #expect(output == "printer2mqtt: \(fault) \(advice)\n")
        let file = (environment: ["STATE_DIRECTORY": "/etc/passwd"], fault: "must be a folder: /etc/passwd is a file")
        try await Program().check(["health"], environment: file.environment, status: 78, says: file.fault)

        let foreign = try Program()
        try FileManager.default.createDirectory(at: foreign.state, withIntermediateDirectories: true)
        let text = String(repeating: "this is not a database", count: 100)
        let database = foreign.state.appendingPathComponent("settings.sqlite")
        try text.write(to: database, atomically: true, encoding: .utf8)
        let refused = try await foreign.check(["printer", "list"], status: 78)
        #expect(refused.split(separator: "\n").count == 1, "\(refused)")
        #expect(try String(contentsOf: database, encoding: .utf8) == text)
    }

    @Test(arguments: ["http", "rtsp"])
    func `Without a port that is taken the bridge works, says what to do, and takes it once it is free`(
        section: String
    ) async throws {
        let broker = try await MosquittoBroker.start()
        let (holder, port) = try listenOnLoopback(backlog: 1)
        let program = try Program(broker: broker.port, "\(section):\n  port: \(port)\n")
        let bridge = try program.start()
        try await eventually("the bridge is online") { try await program.run("health").status == 0 }
        let fault = "Cannot listen on 127.0.0.1:\(port) (\(section).host, \(section).port)"
        for text in [fault, "Stop the program that has the port"] {
            try await eventually("doctor says: \(text)") { try await program.run("doctor").output.contains(text) }
        }
        #expect(bridge.output.contains(fault), "\(bridge.output)")
        close(holder)
        try await eventually("the port is used", timeout: .seconds(90)) {
            let viewer = connectToLoopback(port)
            defer { close(viewer) }
            return isConnected(viewer)
        }
        try await eventually("doctor is content") { try await !program.run("doctor").output.contains(fault) }
        #expect(await bridge.stop() == 0)
    }

    @Test func `A second bridge on the same store is unavailable`() async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(broker: broker.port)
        let first = try program.start()
        try await first.waitForOutput("printer add")
        let reason = "another printer2mqtt runs on this store: stop it, or name another folder with store.path"
        try await program.check(["run"], status: 69, says: reason)
        #expect(await first.stop() == 0)
        let third = try program.start()
        try await eventually("the bridge is online") { try await program.run("health").status == 0 }
        #expect(await third.stop(SIGINT) == 0)
    }

    @Test func `A bridge without broker is unhealthy, one that hangs is unavailable`() async throws {
        let program = try Program(broker: freePort())
        let bridge = try program.start()
        try await eventually("the bridge answers") {
            let (status, output) = try await program.run("health")
            return status == 1 && output.contains("it runs, and has no connection to the broker")
        }
        bridge.signal(SIGSTOP)
        try await program.check(["health"], status: 69, says: "does not answer within 5 s")
        bridge.signal(SIGCONT)
        #expect(await bridge.stop() == 0)
    }

    @Test func `Commands that connect or do not read while the bridge stops do not break it`() async throws {
        // The answer for so many printers is larger than the socket's buffer.
        let printers = (1...400).map { "  x\($0): {}\n" }.joined()
        let program = try Program(broker: freePort(), "printers:\n\(printers)")
        let bridge = try program.start()
        try await eventually("the bridge answers") { try await program.run("health").output.contains("it runs") }
        let files = try FileManager.default.contentsOfDirectory(atPath: program.runtime.path)
        let path = program.runtime.appending(path: try #require(files.first { $0.hasSuffix(".sock") })).path
        let deaf = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false).connect(unixDomainSocketPath: path).get()
        try await deaf.writeAndFlush(ByteBuffer(string: "status\n"))
        let clients = Task {
            var open: [any Channel] = []
            let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            while !Task.isCancelled {
                let client = try? await bootstrap.connect(unixDomainSocketPath: path).get()
                if let client { open.append(client) }
                if open.count > 200 { open.removeFirst().close(promise: nil) }
            }
            for client in open { client.close(promise: nil) }
        }
        try await Task.sleep(for: .milliseconds(500))
        #expect(await bridge.stop(timeout: .seconds(10)) == 0)
        clients.cancel()
        await clients.value
    }

    @Test func `Where the log is JSON, so is all that the bridge says`() async throws {
        let broker = try await MosquittoBroker.start()
        let program = try Program(broker: broker.port, "log:\n  format: json\n")
        let bridge = try program.start()
        try await eventually("the bridge is online") { try await program.run("health").status == 0 }
        #expect(await bridge.stop() == 0)
        let entries = try bridge.output.split(separator: "\n").map {
            try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
        }
        #expect(entries.first { $0.message == "Running" }?.metadata["base_topic"] == "printer2mqtt")
    }

    private struct Entry: Decodable {
        var message: String
        var metadata: [String: String]
    }

    @Test func `Standard streams that are closed at the start never become other files`() async throws {
        let program = try Program()
        let child = try ChildProcess(
            "sh",
            ["-c", #"exec "$@" <&- >&- 2>&-"#, "sh", Program.path, "run"],
            environment: program.environment,
            log: program.directory.file("closed.log")
        )
        EndingTrait.atEnd { await child.stop(SIGKILL) }
        try await eventually("the bridge runs") {
            try await program.run("health").status == 0
        }
        for stream in 0...2 {
            let file = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child.pid)/fd/\(stream)")
            #expect(file == "/dev/null")
        }
    }

    @Test func `Printers and cameras of other makers are added, shown, changed and removed by commands`() async throws {
        let program = try Program(broker: 9)
        let steps: [(command: String, status: Int32, texts: [String])] = [
            ("printer add x1 --printer-ip 192.0.2.7 name=Hall --access-code-file -", 0, ["Added x1."]),
            (
                "printer add x1", 64,
                ["x1 exists already: change it with 'printer2mqtt printer set x1 <setting>=<value>'"]
            ),
            (
                "printer add x2 --printer-ip 192.0.2.8", 0,
                ["Added x2. Its access code is not set yet: 'printer2mqtt printer set x2 --access-code-file -'."]
            ),
            ("printer remove x2", 0, ["Removed x2."]),
            ("printer list", 0, ["x1  Hall  192.0.2.7  auto   unknown", "The states are not known: no bridge runs"]),
            ("printer show x1", 0, ["access_code        ********", "configured         true"]),
            ("printer show x1", 0, ["stream_url         rtsps://192.0.2.7:322/streaming/live/1"]),
            ("printer show x1 --json", 0, [#""access_code":"********""#, #""printer_ip":"192.0.2.7""#]),
            (
                "printer show x1 --reveal", 0,
                ["access_code        canary/1", "rtsps://bblp:canary%2F1@192.0.2.7:322/streaming/live/1"]
            ),
            ("printer set x1 probe_interval=60 --model x1e", 0, ["Changed x1: revision 2."]),
            ("printer set x1 probe_interval=60", 0, ["x1 is so already."]),
            ("printer set x1 probe_interval=1", 64, ["probe_interval must be from 15 to 86400"]),
            ("printer set x1 model=x9", 64, ["model must be one of"]),
            ("printer show x1", 0, ["probe_interval     60", "model              x1e", "revision           2"]),
            ("topics --printer x1", 0, ["printer2mqtt/x1/config\t", "printer2mqtt/x1/secret/stream_url\t"]),
            ("topics --printer x1 --reveal", 0, ["rtsps://bblp:canary%2F1@192.0.2.7"]),
            ("printer remove x1", 0, ["Removed x1."]),
            ("printer show x1", 64, ["there is no printer x1"]),
            ("printer add k1 --camera creality_k1 --printer-ip 192.0.2.9", 0, ["Added k1."]),
            ("printer show k1", 0, ["camera_url         http://192.0.2.9:8080/?action=stream\n"]),
            ("printer show k1", 0, ["model              other\n", "printer_ip         -\n"]),
            ("printer show k1", 0, ["configured         true\n", "stream_url         http"]),
            ("printer list", 0, ["http://192.0.2.9:8080/?action=stream"]),
            ("printer remove k1", 0, ["Removed k1."]),
            ("printer add k2 model=other", 0, ["Added k2. Its camera_url is not set yet"]),
            ("probe --printer k2", 1, ["set camera_url"]),
            ("doctor", 1, ["The printer k2 has no camera_url.", "set k2 camera_url=URL'. docs/cameras.md has it"]),
        ]
        for (command, status, texts) in steps {
            let words = command.split(separator: " ").map(String.init)
            let (found, output) = try await program.run(words, input: "canary/1\n")
            #expect(found == status && texts.allSatisfy(output.contains), "\(command): \(output)")
            #expect(output.contains("canary") == command.contains("--reveal"), "\(command)")
        }
    }

    @Test func `Simulated printers have their model's ports, own addresses and lasting certificates`() async throws {
        let folder = try TemporaryDirectory()
        let (part, certificates) = (Int.random(in: 1...254), folder.file("certificates"))
        let arguments = ["simulate", "--model", "a1-mini", "--count", "2", "--host", "127.77.\(part).1"]
        let program = try Program()
        var seen: [String] = []
        for _ in 0..<2 {
            let child = try program.start(arguments + ["--certificates", certificates.path])
            let host = "127.77.\(part).2"
            try await child.waitForOutput("ready \(host):6000 mqtts://\(host):8883 03000A000000002\n")
            #expect(await child.stop() == 0)
            for name in ["03000A000000002.pem", "ca.pem"] {
                seen.append(try String(contentsOf: certificates.appending(path: name), encoding: .utf8))
            }
        }
        #expect(seen[0...1] == seen[2...3])
    }

    @Test func `What lasts is its owner's alone`() async throws {
        let program = try Program()
        try await program.add("x1", [])
        let files = try FileManager.default.contentsOfDirectory(atPath: program.state.path)
        #expect(files.contains("key") && files.contains("settings.sqlite"))
        for file in files + [""] {
            #expect(try permissions(of: program.state.appendingPathComponent(file).path) & 0o077 == 0, "\(file)")
        }
    }

    @Test func `The broker's password and the store's key are shown to nobody`() async throws {
        let key = String(repeating: "ca", count: 32)
        let program = try Program(
            "mqtt:\n  password: canary-1\n  username: u\n  url: mqtt://b\nstore:\n  key: \(key)\n"
        )
        for command in [["config", "show"], ["topics", "--reveal"], ["printer", "list"]] {
            let output = try await program.check(command)
            #expect(!output.contains("canary-1") && !output.contains(key), "\(output)")
        }
    }
}
