import Platform
import PrinterSamples
import StoredSettings
import Testing

@testable import Printers

@Suite struct OwnedSettingsStoreTests {
    private let base = InMemorySettingsStore()
    private let ownership = PrinterOwnership(group: "f", member: "a")

    @Test func `A member sees its own printers, and all that belongs to no printer`() async throws {
        let scopes = [
            "printer/mine", "printer/other", "manifest/other", "manifest/bridge", "pin/other", "bridge/options",
        ]
        try await base.transact { transaction in
            for scope in scopes { try transaction.update(scope, ["x": 1], by: "test", at: .now) }
        }
        let store = OwnedSettingsStore(base, ownership: ownership)
        #expect(try store.scopes(prefix: "") == ["bridge/options"])
        ownership.insert([PrinterSlot(of: "mine")])
        #expect(try store.scopes(prefix: "printer/").isEmpty, "without a lease nothing is shown")
        ownership.setDeadline(.now + .seconds(60))
        #expect(try store.scopes(prefix: "printer/") == ["printer/mine"])
        #expect(try store.record("printer/other") == nil && store.record("pin/other") == nil)
        #expect(try store.records(prefix: "manifest/").isEmpty)
        ownership.setLeader(true)
        #expect(try Set(store.records(prefix: "manifest/").keys) == ["manifest/bridge"])
        #expect(try await store.transact { try $0.record("printer/other") } != nil)
        #expect(store.allPrinters == ["mine", "other"])
        ownership.setDeadline(.now - .seconds(1))
        #expect(try store.scopes(prefix: "") == ["bridge/options"])
    }
}
