import Foundation
import TestSupport
import Testing

@Suite("Everything was off, as after a power cut", .endsAll)
struct RestartOrderTests {
    private enum Part: CaseIterable { case broker, bridge, printer, homeAssistant }

    /// All orders of some parts.
    private static func orders(of parts: [Part]) -> [[Part]] {
        if parts.isEmpty { return [[]] }
        return parts.flatMap { first in orders(of: parts.filter { $0 != first }).map { [first] + $0 } }
    }

    @Test func `Broker, bridge, printer and Home Assistant may return in any order; all end up online`() async throws {
        let certificates = try await TestCertificates()
        let port = try freePort()
        let broker = try await MosquittoBroker.start()
        let program = try Program(debugging: broker.port)
        try await program.add("x1", ["printer_ip=127.0.0.1", "stream_port=\(port)"])
        await broker.kill()

        for order in Self.orders(of: Part.allCases) {
            var bridge: ChildProcess?
            var printer: GStreamerRTSPServer?
            var observer: Observer?
            for part in order {
                switch part {
                case .broker: try await broker.start()
                case .bridge: bridge = try program.start()
                case .printer:
                    printer = try await GStreamerRTSPServer(certificates: certificates, options: ["--port", "\(port)"])
                case .homeAssistant:
                    // Without a broker it would try again and again: it is there as soon as the broker is.
                    if order.firstIndex(of: .homeAssistant) ?? 0 < order.firstIndex(of: .broker) ?? 0 { continue }
                    observer = try await Observer(broker)
                }
            }
            if observer == nil { observer = try await Observer(broker) }
            let homeAssistant = try #require(observer)
            try await broker.publish("online", to: "homeassistant/status")
            try await homeAssistant.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
            // GStreamer refuses a client that comes while it gets ready for another one: ask again then.
            try await eventually("\(order): the stream is healthy") {
                try await broker.request("printer/probe")
                let stream = "printer2mqtt/x1/stream"
                return (try? await homeAssistant.wait(for: stream, "status", is: "healthy", timeout: .seconds(5)))
                    != nil
            }
            try await homeAssistant.wait(for: "printer2mqtt/x1/availability") { $0 == "online" }
            #expect(homeAssistant.latest["homeassistant/device/printer2mqtt_x1/config"]?.isEmpty == false, "\(order)")
            #expect(homeAssistant.latest["printer2mqtt/bridge/availability"] == "online", "\(order)")
            #expect(await bridge?.stop(SIGKILL) != nil)
            await printer?.stop()
            await broker.kill()
            try program.forgetRecentProbes()
        }
    }
}
