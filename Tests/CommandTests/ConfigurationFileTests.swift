import Bridge
import Foundation
import Settings
import TestSupport
import Testing

@testable import printer2mqtt

@Suite
struct `The configuration file` {
    private func read(_ yaml: String) -> (configuration: BridgeConfiguration, faults: [String]) {
        var configuration = BridgeConfiguration()
        var faults: [String] = []
        configuration.read(yaml: yaml, path: "p.yaml", faults: &faults)
        return (configuration, faults)
    }

    @Test(arguments: [
        ("mqtt:\n  urll: x", "p.yaml:2: mqtt.urll is not a setting; did you mean mqtt.url?"),
        ("mqtt:\n  url: mqtt://b\n  level: info", "p.yaml:3: mqtt.level is not a setting; did you mean log.level?"),
        ("log:\n  url: mqtt://b", "p.yaml:2: log.url is not a setting; did you mean mqtt.url?"),
        ("stream:\n  key: x", "p.yaml:2: stream.key is not a setting; did you mean mqtt.key or store.key?"),
        ("password: x", "p.yaml:1: password is not a setting; did you mean mqtt.password or http.password?"),
        ("\n\nmqt:\n  url: mqtt://b", "p.yaml:4: mqt.url is not a setting; did you mean mqtt.url?"),
        ("mqtt: mqtt://b", "p.yaml:1: mqtt must hold keys, each on a line of its own below it"),
        ("weather:\n  sunny: true", "p.yaml:2: weather.sunny is not a setting"),
        ("mqtt:\n  keep_alive: 4", "p.yaml:2: mqtt.keep_alive must be from 5 to 3600"),
        ("mqtt:\n  keep_alive: soon", "p.yaml:2: mqtt.keep_alive must be an integer"),
        ("mqtt:\n  create_printers: perhaps", "p.yaml:2: mqtt.create_printers must be true or false"),
        ("mqtt:\n  protocol: 4", "p.yaml:2: mqtt.protocol must be one of \"5\", \"3.1.1\""),
        ("mqtt:\n  url: http://b", "p.yaml:2: mqtt.url must be mqtt://host[:port], mqtts://host[:port] or unix:/path"),
        ("mqtt:\n  url: [a, b]", "p.yaml:2: mqtt.url must be a single value"),
        ("mqtt:\n  base_topic: a/#", "p.yaml:2: mqtt.base_topic must not contain +, #, spaces or control characters"),
        ("- mqtt", "p.yaml:1: must hold sections such as 'mqtt:' with keys under them"),
        ("printers: x1", "p.yaml:1: printers must hold a printer's id with its settings under it"),
        ("printers:\n  X 1:\n    name: a", "p.yaml:2: X 1 is no printer's id: it must be \(PrinterID.rule)"),
        ("printers:\n  x1: 192.0.2.7", "p.yaml:2: a printer must hold settings such as printer_ip"),
        ("printers:\n  x1:\n    printer_id: a", "p.yaml:3: printer_id is not a setting; did you mean printer_ip?"),
        ("printers:\n  x1:\n    stream_port: 0", "p.yaml:3: stream_port must be from 1 to 65535"),
        ("printers:\n  x1:\n    name: {}", "p.yaml:3: name must be a single value"),
        ("mqtt:\n  url: a\n url: b", "p.yaml:3: is not YAML: did not find expected key"),
        ("log:\n  level: info\n  level: debug", "p.yaml:2: level is there twice: keep one"),
    ])
    func `A mistake is named with its line and what was expected`(yaml: String, fault: String) {
        #expect(read(yaml).faults == [fault])
    }

    @Test func `All mistakes are named at once`() {
        let (configuration, faults) = read(
            "mqtt:\n  urll: a\n  keep_alive: 0\nlog:\n  level: debug\nprinters:\n  x1:\n    nam: b\n"
        )
        #expect(faults.map { $0.prefix { $0 != " " } } == ["p.yaml:2:", "p.yaml:3:", "p.yaml:8:"])
        #expect(configuration[BridgeKeys.logLevel] == "debug")
    }

    @Test func `A mistake never repeats a secret`() {
        let secrets = ["mqtt:\n  password: \"canary", "mqtt:\n  password: canary: x", "mqtt:\n  passwort: canary"]
        let more = [
            "mqtt:\n  password: [canary]", "printers:\n  x1:\n    access_code: \"canary\\u0007\"", "canary: canary: x",
        ]
        for yaml in secrets + more {
            let faults = read(yaml).faults
            #expect(faults.count == 1 && !faults[0].contains("canary"), "\(faults)")
        }
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
        #expect(configuration[BridgeKeys.mqttPassword] == "00123")
        #expect(configuration[BridgeKeys.mqttProtocol] == "5")
        #expect(!configuration[BridgeKeys.mqttCreatePrinters])
        #expect(configuration[BridgeKeys.mqttKeepAlive] == 60)
        let (id, empty) = (try #require(PrinterID("x1")), try #require(PrinterID("empty")))
        let printer = try #require(configuration.printers[id])
        #expect(printer["access_code"] == .secret(Secret("01234567")))
        #expect(printer["probe_interval"] == 60)
        #expect(configuration.printers[empty] == [:])
        #expect(configuration.origins["mqtt.url"] == .file("p.yaml", line: 2))
    }

    @Test(arguments: ["", "\n", "# nothing\n", "---\n", "mqtt:\n", "printers:\n", "mqtt:\n  url:\n"])
    func `Nothing in it means the defaults`(yaml: String) {
        let (configuration, faults) = read(yaml)
        #expect(faults == [] && configuration.values.isEmpty && configuration.printers.isEmpty)
    }

    @Test func `A file that is not there is a mistake`() {
        #expect {
            try BridgeConfiguration.load(path: "/nowhere/p.yaml", environment: [:])
        } throws: {
            ($0 as? CommandFailure)?.code == .configuration
                && "\($0)" == "/nowhere/p.yaml can't be read: name another file with --config"
        }
    }

    @Test func `The file is the one given, else the variable's`() throws {
        let directory = try TemporaryDirectory()
        for name in ["a", "b"] {
            try "mqtt:\n  client_id: \(name)".write(to: directory.file(name), atomically: true, encoding: .utf8)
        }
        let environment = ["PRINTER2MQTT_CONFIG": directory.file("b").path]
        let given = try BridgeConfiguration.load(path: directory.file("a").path, environment: environment)
        #expect(given[BridgeKeys.mqttClientID] == "a")
        let found = try BridgeConfiguration.load(path: nil, environment: environment)
        #expect(found[BridgeKeys.mqttClientID] == "b")
    }
}
