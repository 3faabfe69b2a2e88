import Foundation
import Logging
import StoredSettings
import TestSupport
import Testing

@testable import printer2mqtt

@Suite("The environment")
struct EnvironmentTests {
    @Test func `A variable stands above the file`() {
        let (configuration, faults) = read(
            ["PRINTER2MQTT_LOG_LEVEL": "error"],
            yaml: "log:\n  level: debug\n  format: json"
        )
        #expect(faults == [])
        #expect(configuration[\.logLevel] == .error && configuration[\.logFormat] == .json)
        #expect(configuration.origins["log.level"] == .environment("PRINTER2MQTT_LOG_LEVEL"))
        #expect(configuration.origins["log.format"] == .file("p.yaml", line: 3))
    }

    @Test(arguments: ConfigKeys.schema.descriptors.map(\.name))
    func `Every key has its variable`(key: String) throws {
        let descriptor = try #require(ConfigKeys.schema[key])
        let text = descriptor.defaultValue.stringValue ?? (descriptor.isSecret ? "" : descriptor.defaultValue.json())
        let (configuration, faults) = read([FileConfiguration.variable(for: key): text])
        #expect(faults == [] && configuration.origins[key] == .environment(FileConfiguration.variable(for: key)))
    }

    @Test(arguments: [
        ("PRINTER2MQTT_MQTT_KEEP_ALIVE", "1", "mqtt.keep_alive must be from 5 to 3600"),
        ("PRINTER2MQTT_MQTT_ULR", "x", "is not a variable of printer2mqtt; 'printer2mqtt config show' lists them"),
        (
            "PRINTER2MQTT_MQTT_URL_FILE", "/x",
            "is not a variable of printer2mqtt; 'printer2mqtt config show' lists them"
        ),
        ("PRINTER2MQTT_MQTT_PASSWORD_FILE", "/canary", "must be the path of a file that can be read"),
    ])
    func `A mistake is named`(name: String, value: String, fault: String) {
        #expect(read([name: value]).faults == ["\(name): \(fault)"])
    }

    @Test func `What Kubernetes sets where a service has this program's name is no mistake`() {
        for service in ["PRINTER2MQTT", "PRINTER2MQTT_WEB"] {
            let names = ["SERVICE_HOST", "SERVICE_PORT_HTTP", "PORT", "PORT_9464_TCP_ADDR"].map { "\(service)_\($0)" }
            #expect(read(Dictionary(uniqueKeysWithValues: names.map { ($0, "x") })).faults == [])
            #expect(read([names[2]: "x"]).faults.count == 1, "no service has this name")
        }
    }

    @Test func `A file for a secret that was not filled in is a mistake`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("empty")
        try "\n".write(to: file, atomically: true, encoding: .utf8)
        let name = "PRINTER2MQTT_STORE_KEY_FILE"
        #expect(read([name: file.path]).faults == ["\(name): the file \(file.path) is empty"])
    }

    @Test func `A secret comes from its own file, else from a credential, else from a variable`() throws {
        let directory = try TemporaryDirectory()
        try "from-credential\n".write(to: directory.file("mqtt_password"), atomically: true, encoding: .utf8)
        try "from-file\r\n".write(to: directory.file("own"), atomically: true, encoding: .utf8)
        var environment = ["PRINTER2MQTT_MQTT_PASSWORD": "from-variable"]
        #expect(read(environment).configuration[\.mqttPassword] == "from-variable")
        environment["CREDENTIALS_DIRECTORY"] = directory.url.path
        #expect(read(environment).configuration[\.mqttPassword] == "from-credential")
        environment["PRINTER2MQTT_MQTT_PASSWORD_FILE"] = directory.file("own").path
        #expect(read(environment).configuration[\.mqttPassword] == "from-file")
        #expect(read(environment).faults == [])
    }

    @Test(arguments: ConfigKeys.schema.descriptors.filter(\.isSecret).map(\.name), ["\n", "\r\n", "\n\n"])
    func `A line end at the end of a secret is no part of it, in a variable as in the file`(key: String, end: String) {
        let secret = String(repeating: "5a", count: 32)
        let parts = key.split(separator: ".")
        let yaml = "\(parts[0]):\n  \(parts[1]): |+\n    \(secret)\(end)"
        for (configuration, faults) in [
            read([FileConfiguration.variable(for: key): secret + end]), read([:], yaml: yaml),
        ] { #expect(faults == [] && configuration.values[key] == .secret(Secret(secret))) }
    }
}
