import Foundation
import TestSupport
import Testing

@Suite("The clock of the machine is set", .endsAll)
struct ClockJumpTests {
    @Test func `Clock jumps of years leave the bridge online, changes in order and probes running`() async throws {
        let clock = try await FakeClock()
        let (broker, observer, _, _) = try await startBridge(environment: clock.environment)
        let command = #"{"printer_ip":"127.0.0.1","access_code":"12345678","stream_port":9}"#
        try await broker.set(command)
        try await observer.wait(for: "printer2mqtt/x1/stream/status") { $0 == "down" }

        for (revision, days) in [365, -365, 0].enumerated() {
            try clock.set(days: days)
            let year = Date(timeIntervalSinceNow: Double(days) * 86_400).formatted(.iso8601.year())
            let change = #"{"name":"\#(days)","access_code":"\#(10_000_000 + revision)"}"#
            try await broker.set(change)
            let config = try await observer.wait(for: "printer2mqtt/x1/config", "name", is: "\(days)")
            #expect(config["meta.revision"] == "\(revision + 2)")
            #expect(config["meta.updated_at"]?.hasPrefix(year) == true)
            try await observer.wait(for: "printer2mqtt/x1/stream/checked_at") { $0.hasPrefix(year) }
        }
        let states = observer.messages.filter { $0.topic == "printer2mqtt/bridge/availability" }.map(\.payload)
        #expect(states == ["online"])
    }
}
