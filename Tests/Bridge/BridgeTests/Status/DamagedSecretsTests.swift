import Concurrency
import Logging
import PrinterSamples
import SettingsTesting
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

@Suite("Damaged secrets") struct DamagedSecretsTests {
    @Test func `A damaged access code is reported until it is set or cleared, and other settings stay`() async throws {
        let store = InMemorySettingsStore()
        let registry = PrinterRegistry(over: store)
        for id in ["x1", "x2"] as [PrinterID] {
            await registry.receive(id, #"{"printer_ip": "192.0.2.7", "access_code": "12345678", "serial": "A"}"#)
        }
        let log = RecordedLog()
        let board = WarningBoard(WarningList(), waking: Wakeup(), logger: Logger(label: "test") { _ in log })
        let following = Task { await board.follow(registry, .secretDamaged, BridgeWarning.damagedSecrets) }
        let followingStore = Task { await registry.followStore() }
        defer { for task in [following, followingStore] { task.cancel() } }
        for repair in [#"{"access_code": "87654321"}"#, #"{"access_code": ""}"#, #"{"access_code": null}"#] {
            try await store.damage("printer/x1", "access_code")
            try await eventually("it is told") {
                board.list.sorted.map(\.message) == ["The access code of x1 is damaged. Set it again."]
            }
            let printer = try #require(registry["x1"])
            #expect(!printer.committed.isConfigured && printer.committed.serial == "A")
            #expect(registry["x2"]?.committed.isConfigured == true)
            #expect(await registry.receive("x1", #"{"stream_port": 8322}"#)?.status != .invalid)
            #expect(store.record("printer/x1")?.damaged == ["access_code": [1, 2, 3]])
            #expect(await registry.receive("x1", repair)?.status == .applied)
            #expect(store.record("printer/x1")?.damaged == [:])
            try await eventually("it is over") { board.list.sorted.isEmpty }
        }
        #expect(log.lines.count == 6)
    }
}
