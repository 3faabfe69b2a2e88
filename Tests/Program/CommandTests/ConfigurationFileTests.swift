import Bridge
import Foundation
import PrinterSamples
import StoredSettings
import TestSupport
import Testing
import WebInterface

@testable import printer2mqtt

@Suite("The configuration file")
struct ConfigurationFileTests {
    private static let keysRule = "must hold keys, each on a line of its own below it, as 'key: value' without a dash"
    private static let levelRule = "keys of one level need the same indentation"
    private static let signsRule = "put each key on its own line, and text with signs of YAML in quotation marks"
    private static let quoteRule = "which is a sign of YAML: put the value in quotation marks"
    private static let placeRule = "is a printer's: write it below 'printers:' and the printer's id"
    private static let valueRule = "behind the colon, in the same line"

    @Test(
        arguments: [
            ("{}", .address("rtsp://127.0.0.1:9554/"), "http://127.0.0.1:9464/"),
            ("rtsp: {port: 0}\nhttp: {enabled: false}", nil, nil),
            ("rtsp: {host: 0.0.0.0}\nhttp: {host: 0.0.0.0, password: long enough}", .port(9_554), nil),
            (
                "rtsp: {host: 0.0.0.0}\nhttp: {host: 0.0.0.0, password: long enough, host_names: nas.lan}",
                .address("rtsp://nas.lan:9554/"), "http://nas.lan:9464/"
            ),
            // The add-on: Home Assistant is on the same machine, and shows a token.
            (
                "http: {host: 172.30.32.1, port: 8099, ingress: true}", .address("rtsp://127.0.0.1:9554/"),
                "http://172.30.32.1:8099/"
            ),
        ] as [(String, ViewerAddresses.Relay?, String?)]
    )
    func `Viewers are told the relay's and the page's address as far as the file tells them`(
        yaml: String,
        relay: ViewerAddresses.Relay?,
        page: String?
    ) throws {
        let addresses = read(yaml).configuration.viewerAddresses
        #expect((addresses.relay, addresses.page) == (relay, page))
    }

    @Test func `With a password viewers over RTSP need a token, also while the page is off`() throws {
        let configuration = read("http: {enabled: false, password: correct horse}").configuration
        #expect(try configuration.accessOptions.password != nil && configuration.webOptions == nil)
    }

    @Test(
        arguments: zip(["state", "/state", "~/state", ""], [here + "/state", "/state", home + "/state", ""])
    )
    func `A relative path in the file counts from the file's folder, and one with ~ from the user's home`(
        text: String,
        path: String
    ) {
        let configuration = read("store: {path: '\(text)'}\nrecorder: {copy_to: '\(text)'}").configuration
        #expect(configuration[\.storePath] == path)
        #expect(configuration[\.recorderCopyTo] == path)
    }

    @Test func `A certificate is found beside the file that names it, from wherever a command is typed`() async throws {
        let folder = try TemporaryDirectory()
        let certificates = try await TestCertificates()
        try FileManager.default.copyItem(at: certificates.authority, to: folder.file("ca.pem"))
        let file = folder.file("printer2mqtt.yaml")
        try Data("mqtt: {url: 'mqtts://broker', ca: ca.pem}".utf8).write(to: file)
        let configuration = try FileConfiguration.load(path: file.path, environment: [:])
        #expect(configuration[\.mqttCA] == folder.file("ca.pem").path)
    }

    /// Where the file of these tests would be, and the user's home.
    private static let (here, home) = (FileManager.default.currentDirectoryPath, NSHomeDirectory())
    private static let hostNamesRule =
        "must be host names alone, separated by commas, without scheme, port or path"
    private static let etcdRule = "must be addresses such as https://etcd-1:2379, separated by commas"
    private static let storeKey = String(repeating: "0123456789abcdef", count: 4)

    /// A key with its value in the second line, below its section, and what is wrong with it.
    private static let values: [(section: String, line: String, fault: String)] = [
        ("mqtt", "urll: x", "is not a setting; did you mean mqtt.url?"),
        ("http", "host: \"\"", "must not be empty"),
        ("http", "host: 127.0.0.1:8080", "must be an address without port: the port is http.port"),
        ("http", "host: 224.0.0.1", "must be the address of one machine"),
        ("http", "host_names: a, http://b", hostNamesRule),
        ("http", "trusted_proxies: ::1, b.lan", "must be IP addresses, separated by commas, such as 127.0.0.1, ::1"),
        ("weather", "sunny: true", "is not a setting; correct its name, or leave it out"),
        ("mqtt", "keep_alive: soon", "must be an integer"),
        ("mqtt", "create_printers: perhaps", "must be true or false"),
        ("mqtt", "protocol: 4", "must be one of \"5\", \"3.1.1\""),
        ("mqtt", "url: http://b", "must be mqtt://host[:port], mqtts://host[:port] or unix:/path"),
        ("mqtt", "url: [a]", "must be a single value"), ("mqtt", "url: [a, b]", "must be a single value"),
        ("mqtt", "base_topic: a/#", "must not contain +, #, spaces or control characters"),
        ("mqtt", "url: nas:1883", "must begin with mqtt:// or mqtts://, as in mqtt://192.0.2.10:1883"),
        ("mqtt", "username: u\u{200b}", "must not contain U+200B ZERO WIDTH SPACE"),
        ("mqtt", "witness: true", "\(placeRule)"),
        ("mqtt", "password: &canary", "begins with &, \(quoteRule)"),
        ("mqtt", "password: &canary word", "begins with &, \(quoteRule)"),
        ("mqtt", "password: !canary", "begins with !, \(quoteRule)"),
        ("mqtt", "password: {canary}", "must be a single value"),
        (
            "mqtt", "password: !secret canary",
            "must not have a tag: !secret means nothing here. A secret comes from a variable or a file of its own"
        ),
        ("mqtt", "host: 192.0.2.7", "is not a setting: host and port are in mqtt.url, as in mqtt://192.0.2.10:1883"),
        (
            "stream", "go2rtc_url: http://127.0.0.1:1984",
            "is not a setting: remove it, and let go2rtc view rtsp://BRIDGE:9554/ID of each printer"
        ),
        ("http", "host_names: [a, b:1]", hostNamesRule), ("fleet", "endpoints: [a]", etcdRule),
        ("fleet", "endpoints: ['http://a:65536']", etcdRule), ("fleet", "endpoints: ['http://a:0']", etcdRule),
        ("fleet", "endpoints: ['http://u:p@a:2379']", etcdRule),
        ("fleet", "name: 'a/b'", "must have letters, digits, - and _ only"),
        ("fleet", "lease: 1", "must be from 4 to 60"),
        ("fleet", "endpoints: [&canary a]", "begins with &, \(quoteRule)"),
        ("store", "path: /etc/passwd", "must be a folder: /etc/passwd is a file"),
        ("recorder", "copy_to: /etc/passwd/clips", "must be a folder: /etc/passwd is a file"),
        ("mqtt", "ca: /etc", "must be a file: there is a folder at that path"),
    ]

    /// Lines, and the line and the fault that are named.
    private static let lines: [(String, String)] = [
        ("mqtt:\n  url: mqtt://b\n  level: info", "3: mqtt.level is not a setting; did you mean log.level?"),
        ("password: x", "1: password is not a setting; did you mean mqtt.password or http.password or fleet.password?"),
        ("mqtt: mqtt://b", "1: mqtt \(keysRule)"),
        ("mqtt:\n  - url: mqtt://b", "2: mqtt \(keysRule)"),
        (
            "printers:\n  x1:\n    telemetry_host: proxy.lan:8883",
            "3: telemetry_host must be an address without port: the port is 8883"
        ),
        ("- mqtt", "1: must hold sections such as 'mqtt:' with keys under them"),
        ("printers: x1", "1: printers must hold a printer's id with its settings under it"),
        ("printers:\n  X 1:\n    name: a", "2: X 1 is no printer's id: it must be \(PrinterID.rule)"),
        ("printers:\n  x1: 192.0.2.7", "2: printers.x1 must hold settings such as printer_ip"),
        ("printers:\n  x1:\n    name: \"\"", "3: name must not be empty; null sets the default"),
        ("printers:\n  x1:\n    stream_port: 0", "3: stream_port must be from 1 to 65535"),
        ("printers:\n  x1:\n    name: {}", "3: name must be a single value"),
        (
            "printers:\n  x1:\n    access_code: '******** '",
            "3: access_code is what is shown in its place: leave it out, or give it in full"
        ),
        (
            "http:\n  host: a\n# rtsp:\n  host: b\n",
            "3: '# rtsp:' is a comment, so host is there twice above and below it: remove the '#'"
        ),
        (
            "# mqtt:\n  url: a\nlog:\n  level: info",
            "2: is indented, and no line above it names its section: write it, or remove its '#'"
        ),
        ("mqtt:\n  url: a\n url: b", "3: indented by 1, and line 2 by 2: \(levelRule)"),
        (
            "mqtt:\n  # The broker.\n  url: mqtt://b\n\n   username: u\n",
            "5: indented by 3, and line 3 by 2: \(levelRule)"
        ),
        (
            "mqtt:\n  url: mqtt://b\n  password: \"canary\n  username: u\n",
            "3: the text after 'password:' begins with a quotation mark that is not closed"
        ),
        ("mqtt:\n  url:mqtt://b\n  username: u\n", "2: a space is missing after 'url:'"),
        ("mqtt:\n  url:mqtt://b\n", "2: a space is missing after 'url:'"),
        ("printers:\n  x1:\n    printer_ip:192.0.2.7", "3: a space is missing after 'printer_ip:'"),
        ("mqtt:\nurl: mqtt://b", "2: url is a key of 'mqtt:': indent it by two blanks"),
        ("mqtt:\nurl:mqtt://b\nlog:", "2: a space is missing after 'url:'"),
        ("mqtt:\n  url:\n  mqtt://b\n", "3: write the value of 'url:' \(valueRule)"),
        ("mqtt:\n  password:\ncanary\nlog:\n", "3: write the value of 'password:' \(valueRule)"),
        ("mqtt:\n  password: @canary", "2: \(signsRule)"),
        ("mqtt:\n  password: {canary\n", "2: \(signsRule)"),
        ("mqtt:\n\u{a0} url: mqtt://b", "2: \u{a0} url must not contain U+00A0 NO-BREAK SPACE"),
        ("telemetry: true", "1: telemetry \(placeRule)"),
        ("log:\n  level: info\n  level: debug", "3: level is there twice, first in line 2: keep one"),
        (
            "http:\n  port: 1\nlog:\n  level: info\n  # port: 2\n  format: text\n  level: debug",
            "7: level is there twice, first in line 4: keep one"
        ),
        ("log: {level: info, level: debug}", "1: level is there twice: keep one"),
        ("mqtt:\n\turl: mqtt://b", "2: begins with a tab: indent with spaces"),
        ("mqtt:\n  url: mqtt://b\n\tusername: a", "3: begins with a tab: indent with spaces"),
        ("printers:\n  x1:\n    host: 192.0.2.7", "3: host is not a setting; did you mean printer_ip?"),
    ]

    @Test(
        arguments: lines
            + values.map { section, line, fault in
                ("\(section):\n  \(line)", "2: \(section).\(line.prefix { $0 != ":" }) \(fault)")
            }
    )
    func `A mistake is named with its line and what was expected`(yaml: String, fault: String) {
        for text in [yaml, yaml.replacing("\n", with: "\r\n")] { #expect(read(text).faults == ["p.yaml:\(fault)"]) }
    }

    @Test func `A mistake never repeats a secret`() {
        for yaml in [
            "mqtt:\n  password: \"canary", "mqtt:\n  password: canary: x", "mqtt:\n  passwort: canary",
            "mqtt:\n  password: [canary]", "printers:\n  x1:\n    access_code: \"canary\\u0007\"", "canary: canary: x",
            "mqtt:\n  password: {canary}", "mqtt:\n  password: !canary", "mqtt:\n  password: !!canary x",
            "mqtt:\n  password: !<canary> x", "mqtt:\n  password:\n    canary: x",
            "printers:\n  x1:\n    access_code: !canary", "mqtt:\n  passwrd: {canary}",
        ] {
            let faults = read(yaml).faults
            #expect(faults.count == 1 && !faults[0].contains("canary"), "\(faults)")
        }
    }

    @Test(arguments: [
        ("mqtt:\n  password: ab #cd", true), ("mqtt.password: ab #cd", true), ("mqtt:\n  password: #cd", true),
        ("printers:\n  x1:\n    access_code: ab12 #345", true), ("mqtt:\n  password: ab # mine", false),
        ("mqtt:\n  password: ab ## mine", false), ("mqtt:\n  password: ab#cd", false),
        ("mqtt:\n  password: 'ab #cd' #mine", false), ("mqtt:\n  username: ab #cd", false),
        ("#password: ab #cd", false), ("mqtt:\r\n  password: ab #cd", true),
    ])
    func `Only a secret that ends at a comment without a blank behind its # is noted`(yaml: String, isNoted: Bool) {
        let (configuration, faults) = read(yaml)
        let lines = yaml.split(whereSeparator: \.isNewline).count
        #expect(faults == [] && configuration.cuts == (isNoted ? [.file("p.yaml", line: lines)] : []))
        #expect(configuration.cutSecrets?.message.contains("cd") != true)
    }

    @Test func `Values are read as they are written`() throws {
        let (configuration, faults) = read(
            """
            mqtt:
              url: mqtts://broker.example:8884
              password: 00123
              protocol: 5
              create_printers: no
            homeassistant:
            printers:
              x1:
                printer_ip: 192.0.2.7
                access_code: 01234567
                probe_interval: 60
              empty:
            """
        )
        #expect(faults == [])
        #expect(configuration.brokerURL == .tls(host: "broker.example", port: 8_884))
        #expect(configuration[\.mqttPassword] == "00123")
        #expect(configuration[\.mqttProtocol] == "5")
        #expect(!configuration[\.mqttCreatePrinters])
        #expect(configuration[\.mqttKeepAlive] == 60)
        let printer = try #require(configuration.printers["x1"])
        #expect(printer["access_code"] == .secret(Secret("01234567")))
        #expect(printer["probe_interval"] == 60)
        #expect(configuration.printers["empty"] == [:])
        #expect(configuration.origins["mqtt.url"] == .file("p.yaml", line: 2))
    }

    @Test(arguments: ["", "\n", "# nothing\n", "---\n", "mqtt:\n", "printers:\n", "mqtt:\n  url:\n"])
    func `Nothing in it means the defaults`(yaml: String) {
        let (configuration, faults) = read(yaml)
        #expect(faults == [] && configuration.values.isEmpty && configuration.printers.isEmpty)
    }

    @Test(arguments: [
        ("mqtt:\n  username: a", ":2: mqtt.username needs mqtt.url: the private broker knows no users"),
        ("mqtt:\n  password: canary", ":2: mqtt.password needs mqtt.url: the private broker knows no users"),
        ("mqtt:\n  url: mqtts://b\n  certificate: LEAF", ":3: mqtt.certificate needs mqtt.key, the file with its key"),
        ("mqtt:\n  url: mqtts://b\n  key: KEY", ":3: mqtt.key needs mqtt.certificate, the file with its certificate"),
        (
            "mqtt:\n  url: mqtt://b\n  password: canary",
            ":3: mqtt.password needs mqtt.username, the user with this password"
        ),
        (
            "mqtt:\n  base_topic: homeassistant/p2m",
            ":2: mqtt.base_topic must not be homeassistant.prefix, or a topic below it"
        ),
        (
            "homeassistant:\n  prefix: printer2mqtt",
            ":2: homeassistant.prefix must not be mqtt.base_topic, or a topic above it"
        ),
        ("mqtt:\n  url: mqtt://b\n  ca: LEAF", ":3: mqtt.ca needs a broker with TLS: write mqtts:// in mqtt.url"),
        (
            "printers:\n  x1:\n    certificate: printer_ca",
            ": printers.x1.certificate is printer_ca, which needs stream.printer_ca, the vendor's CA file"
        ),
        ("mqtt:\n  url: mqtts://b\n  ca: KEY", ":3: mqtt.ca must hold certificates in PEM"),
        ("rtsp:\n  port: 9464", ":2: rtsp.port must not be 9464, which is http.port"),
        ("http:\n  port: 9554", ":2: rtsp.port must not be 9554, which is http.port"),
        ("rtsp:\n  host: 0.0.0.0\n  port: 9464", ":3: rtsp.port must not be 9464, which is http.port"),
        ("fleet:\n  username: u", ":2: fleet.username needs fleet.endpoints, the addresses of etcd"),
        (
            "store: {key: STOREKEY}\nfleet:\n  endpoints: http://a:2379",
            ":3: fleet.endpoints needs mqtt.url: all bridges need the same broker"
        ),
        (
            "mqtt: {url: 'mqtt://b'}\nfleet:\n  endpoints: http://a:2379",
            ":3: fleet.endpoints needs store.key: all bridges need the same key for the access codes"
        ),
        (
            "mqtt: {url: 'mqtt://b'}\nstore: {key: STOREKEY}\nfleet:\n  endpoints: http://a:2379\n  username: u",
            ":4: fleet.endpoints needs both fleet.username and fleet.password, or none of them"
        ),
        (
            "mqtt: {url: 'mqtt://b'}\nstore: {key: STOREKEY}\n"
                + "fleet: {endpoints: ['http://a:2379'], username: u, password: canary}",
            ":3: fleet.password would be sent to etcd unencrypted: write https:// in fleet.endpoints"
        ),
    ])
    func `What makes no sense together is a mistake`(yaml: String, fault: String) async throws {
        let certificates = try await TestCertificates()
        let directory = try TemporaryDirectory()
        let file = directory.file("p.yaml").path
        let lines = yaml.replacing("STOREKEY", with: Self.storeKey).replacing("LEAF", with: certificates.chain.path)
            .replacing("KEY", with: certificates.key.path)
        try lines.write(toFile: file, atomically: true, encoding: .utf8)
        let failure = #expect(throws: CommandFailure.self) { try FileConfiguration.load(path: file, environment: [:]) }
        let text = failure?.description ?? "canary"
        #expect(text.hasPrefix(file + fault) && failure?.faults.count == 1 && !text.contains("canary"))
    }

    @Test(arguments: [
        "'http://a:2379'", "'https://a:2379', username: u, password: p",
        "'http://127.0.0.1:2379, http://[::1]:2379', username: u, password: p",
    ])
    func `A password may be sent to etcd over HTTPS, or in clear to this machine`(endpoints: String) {
        let lines = "mqtt: {url: 'mqtt://b'}\nstore: {key: '\(Self.storeKey)'}\nfleet: {endpoints: \(endpoints)}"
        let (configuration, faults) = read(lines)
        #expect(faults == [] && configuration.inconsistencies == [])
    }

    @Test func `The addresses of etcd may be a list, or one text with commas`() {
        let list = read("fleet: {endpoints: [\"http://a:2379\", 'http://b:2379/']}").configuration
        #expect(list[\.fleetEndpoints].etcdEndpoints == ["http://a:2379", "http://b:2379"])
        #expect("http://a:2379, http://b:2379".etcdEndpoints == list[\.fleetEndpoints].etcdEndpoints)
    }

    @Test func `Two addresses may have the same port`() throws {
        let (configuration, faults) = read("rtsp:\n  host: 127.0.0.2\n  port: 9464")
        #expect(faults == [] && configuration.inconsistencies == [])
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x6D, 0x00], " is in UTF-16: save it as UTF-8"),
            (Array("a: 1\nb: ".utf8) + [0xE4], ":2: is not in UTF-8: save the file as UTF-8"),
        ] as [([UInt8], String)]
    )
    func `A file in another encoding is named as such`(bytes: [UInt8], fault: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("p.yaml").path
        try Data(bytes).write(to: URL(filePath: path))
        let failure = #expect(throws: CommandFailure.self) { try FileConfiguration.load(path: path, environment: [:]) }
        #expect(failure?.description == path + fault)
    }

    @Test func `The file is the one given, else the variable's`() throws {
        let directory = try TemporaryDirectory()
        for name in ["a", "b"] {
            try "mqtt:\n  client_id: \(name)".write(to: directory.file(name), atomically: true, encoding: .utf8)
        }
        let environment = ["PRINTER2MQTT_CONFIG": directory.file("b").path]
        let given = try FileConfiguration.load(path: directory.file("a").path, environment: environment)
        #expect(given[\.mqttClientID] == "a")
        let found = try FileConfiguration.load(path: nil, environment: environment)
        #expect(found[\.mqttClientID] == "b")
        let files = [[:], ["PRINTER2MQTT_CONFIG": ""]].map { FileConfiguration.file(nil, environment: $0) }
        #expect(files[0] == files[1], "an empty variable names no file")
    }
}
