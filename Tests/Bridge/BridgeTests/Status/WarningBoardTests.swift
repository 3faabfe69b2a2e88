import Concurrency
import Logging
import PrinterSamples
import SettingsTesting
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

@Suite("Warnings about printers") struct WarningBoardTests {
    private let store = InMemorySettingsStore()
    private let registry: PrinterRegistry
    private let log: RecordedLog
    private let board: WarningBoard

    init() {
        let log = RecordedLog()
        registry = PrinterRegistry(over: store)
        board = WarningBoard(WarningList(), waking: Wakeup(), logger: Logger(label: "test") { _ in log })
        self.log = log
    }

    private var messages: [String] { board.list.sorted.map(\.message) }

    @Test func `A damaged access code is reported until it is set or cleared, and other settings stay`() async throws {
        for id in ["x1", "x2"] as [PrinterID] {
            await registry.receive(id, #"{"printer_ip": "192.0.2.7", "access_code": "12345678", "serial": "A"}"#)
        }
        let following = Task { await board.follow(registry, .secretDamaged, BridgeWarning.damagedSecrets) }
        let followingStore = Task { await registry.followStore() }
        defer { for task in [following, followingStore] { task.cancel() } }
        for repair in [#"{"access_code": "87654321"}"#, #"{"access_code": ""}"#, #"{"access_code": null}"#] {
            try await store.damage("printer/x1", "access_code")
            try await eventually("it is told") { messages == ["The access code of x1 is damaged. Set it again."] }
            let printer = try #require(registry["x1"])
            #expect(!printer.committed.isConfigured && printer.committed.serial == "A")
            #expect(registry["x2"]?.committed.isConfigured == true)
            #expect(await registry.receive("x1", #"{"stream_port": 8322}"#)?.status != .invalid)
            #expect(store.record("printer/x1")?.damaged == ["access_code": [1, 2, 3]])
            #expect(await registry.receive("x1", repair)?.status == .applied)
            #expect(store.record("printer/x1")?.damaged == [:])
            try await eventually("it is over") { messages.isEmpty }
        }
        #expect(log.lines.count == 6)
    }

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
        let following = Task { await board.followSharedSerials(of: registry) }
        defer { following.cancel() }
        await registry.receive("x1", #"{"serial": "00M00A000000042"}"#)
        await registry.receive("x2", #"{"serial": "00M00A000000042"}"#)
        try await eventually("it is told") { !messages.isEmpty }
        let told = messages
        #expect(told.count == 1 && told[0].hasPrefix("x1 and x2 have the same serial number"))
        #expect(!told[0].contains("0042"))
        await registry.receive("x2", #"{"stream_port": 8322}"#)
        _ = try await registry.remove("x1")
        try await eventually("it is over") { messages.isEmpty }
        #expect(log.lines.count == 2)
    }
}
