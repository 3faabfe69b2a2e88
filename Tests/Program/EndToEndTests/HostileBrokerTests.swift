import Foundation
import TestSupport
import Testing

/// A property of MQTT 5 that does not exist fails an assertion in libmosquitto (up to 2.1.2), which ends the process.
@Suite("A broker that ends the bridge's process", .timeLimit(.minutes(3)))
struct HostileBrokerTests {
    private static let packets: [(name: String, bytes: [UInt8])] = [
        ("CONNACK with an unknown property", [0x20, 5, 0, 0, 2, 0x7f, 0]),
        ("PUBLISH with an unknown property", [0x30, 6, 0, 1, 0x61, 2, 0x7f, 0]),
        ("PUBLISH with properties that are longer than the packet", [0x30, 6, 0, 1, 0x61, 100, 0x68, 0x69]),
    ]

    @Test(arguments: packets)
    func `After a broker crashes the bridge, acknowledged commands remain and pending ones come`(
        _ packet: (name: String, bytes: [UInt8])
    ) async throws {
        let broker = try await MosquittoBroker.start()
        let gate = try await TCPGate(to: [broker.port], injecting: packet.bytes)
        let observer = try await Observer(port: broker.port)
        let program = try BridgeProgram(broker: gate.ports[0])
        // The report of a toolchain's runtime would end with another signal.
        var bridge = try program.run(environment: ["SWIFT_BACKTRACE": "enable=no"])
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        let command = #"{"id":"1","set":{"printer_ip":"127.0.0.1","access_code":"31415926","serial":"1"}}"#
        try await publish(command, to: "printer2mqtt/x1/config/set", port: broker.port)
        try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: "1")

        gate.inject()
        #expect(await bridge.exitStatus() == 128 + SIGABRT, "\(packet.name): \(bridge.output.suffix(2_000))")
        #expect(!program.everythingSaid.contains("31415926"))
        try await publish(
            #"{"id":"2","set":{"serial":"2"}}"#,
            to: "printer2mqtt/x1/config/set",
            port: broker.port
        )
        let shown = try await program.command("printer", "show", "x1", "--reveal")
        #expect(shown.output.contains("31415926") && shown.output.contains("127.0.0.1"), "\(shown.output)")

        // As the service manager does.
        bridge = try program.run()
        let config = try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: "2")
        #expect(config["meta.revision"] == "2" && config["printer_ip"] == "127.0.0.1")
        #expect(observer.latest["printer2mqtt/bridge/availability"] == "online")
        #expect(await bridge.stop() == 0)
    }

    @Test func `After a broker ends the bridge, the shipped unit restarts it at once without a limit`() throws {
        let unit = try String(contentsOf: projectFolder.appending(path: "config/printer2mqtt.service"), encoding: .utf8)
        for line in ["Restart=on-failure", "RestartSec=1", "StartLimitIntervalSec=0"] {
            #expect(unit.split(separator: "\n").contains(Substring(line)), "\(line)")
        }
    }
}
