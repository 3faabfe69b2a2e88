import Foundation
import TestSupport
import Testing

/// A property of MQTT 5 that does not exist fails an assertion in libmosquitto (up to 2.1.2), which ends the process.
@Suite("A broker that ends the bridge's process", .endsAll, .timeLimit(.minutes(5)))
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
        let observer = try await Observer(broker)
        let program = try Program(debugging: gate.ports[0])
        // The report of a toolchain's runtime would end with another signal.
        var bridge = try program.start(environment: ["SWIFT_BACKTRACE": "enable=no"])
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        let command = #"{"id":"1","set":{"printer_ip":"127.0.0.1","access_code":"31415926","serial":"1"}}"#
        try await broker.set(command)
        try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: "1")

        gate.inject()
        #expect(await bridge.exitStatus() == 128 + SIGABRT, "\(packet.name): \(bridge.output.suffix(2_000))")
        #expect(!program.everythingSaid.contains("31415926"))
        try await broker.set(#"{"id":"2","set":{"serial":"2"}}"#)
        let shown = try await program.run("printer", "show", "x1", "--reveal")
        #expect(shown.output.contains("31415926") && shown.output.contains("127.0.0.1"), "\(shown.output)")

        // As the service manager does.
        bridge = try program.start()
        let config = try await observer.wait(for: "printer2mqtt/x1/config", "serial", is: "2")
        #expect(config["meta.revision"] == "2" && config["printer_ip"] == "127.0.0.1")
        try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
        #expect(await bridge.stop() == 0)
    }
}
