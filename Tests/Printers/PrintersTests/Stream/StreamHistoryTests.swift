import Foundation
import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

@Suite("The last day of a stream")
struct StreamHistoryTests {
    @Test func `The history keeps the changes of the last day and the status at its beginning`() {
        var history = StreamHistory()
        for (hour, status) in [(0, StreamStatus.unknown), (1, .healthy), (2, .healthy), (3, .down), (26, .healthy)] {
            history.record(status, at: .noon.addingTimeInterval(Double(hour) * 3_600))
        }
        #expect(history.entries.map(\.status) == [.healthy, .down, .healthy])
        #expect(history.entries.first?.since == .noon.addingTimeInterval(3_600))
    }

    @Test func `A stream that changes often keeps its last changes, and no more memory`() {
        var history = StreamHistory()
        for second in 0..<1_000 {
            history.record(second.isMultiple(of: 2) ? .healthy : .down, at: .noon.addingTimeInterval(Double(second)))
        }
        #expect(history.entries.count == StreamHistory.limit)
        #expect(history.entries.last?.since == .noon.addingTimeInterval(999))
    }

    @Test func `A printer has a history from its first status until it is removed`() async throws {
        let registry = PrinterRegistry(over: InMemorySettingsStore())
        _ = await registry.change("x1", ["probe_enabled": false], source: .cli)
        #expect(registry["x1"]?.history.entries.map(\.status) == [.unconfigured])
        let code: JSONValue = "12345678"
        _ = await registry.change("x1", ["printer_ip": "192.0.2.7", "access_code": code], source: .cli)
        #expect(registry["x1"]?.history.entries.map(\.status) == [.unconfigured, .disabled])
        _ = try await registry.remove("x1")
        _ = await registry.change("x1", ["probe_enabled": false], source: .cli)
        #expect(registry["x1"]?.history.entries.map(\.status) == [.unconfigured])
    }
}
