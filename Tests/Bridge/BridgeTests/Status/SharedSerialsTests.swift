import Concurrency
import Logging
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

@Suite("One serial number in two printers") struct SharedSerialsTests {
    /// The serial numbers of printers, and the printers that share one.
    static let serials: [([(PrinterID, String)], [[PrinterID]])] = [
        ([("x1", "A"), ("x2", "B")], []), ([("x2", "A"), ("x1", "A")], [["x1", "x2"]]),
        ([("x1", ""), ("x2", "")], []), ([("x1", "A"), ("x2", "a")], []),
        ([("x1", "A"), ("y1", "B"), ("y2", "B"), ("x2", "A")], [["x1", "x2"], ["y1", "y2"]]),
    ]

    @Test(arguments: serials)
    func `A shared serial number is found`(serials: [(PrinterID, String)], groups: [[PrinterID]]) {
        #expect(SharedSerials(serials.map { Printer.sample($0, ["serial": .string($1)]) }).groups == groups)
    }

    @Test func `A warning names both printers but not their shared serial number, until one is removed`() async throws {
        let registry = PrinterRegistry(over: InMemorySettingsStore())
        let log = RecordedLog()
        let board = WarningBoard(WarningList(), waking: Wakeup(), logger: Logger(label: "test") { _ in log })
        let following = Task { await board.followSharedSerials(of: registry) }
        defer { following.cancel() }
        await registry.receive("x1", #"{"serial": "00M00A000000042"}"#)
        await registry.receive("x2", #"{"serial": "00M00A000000042"}"#)
        try await eventually("it is told") { !board.list.sorted.isEmpty }
        let messages = board.list.sorted.map(\.message)
        #expect(messages.count == 1 && messages[0].hasPrefix("x1 and x2 have the same serial number"))
        #expect(!messages[0].contains("0042"))
        await registry.receive("x2", #"{"stream_port": 8322}"#)
        _ = try await registry.remove("x1")
        try await eventually("it is over") { board.list.sorted.isEmpty }
        #expect(log.lines.count == 2)
    }
}
