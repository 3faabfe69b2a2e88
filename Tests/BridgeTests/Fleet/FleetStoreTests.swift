import Foundation
import StoredSettings
import Testing

@testable import Bridge

@Suite struct FleetStoreTests {
    private let base = InMemorySettingsStore()
    private let ownership = FleetOwnership(fleet: "f", member: "a")

    private func makeStore() async throws -> (store: FleetStore, mine: PrinterID, other: PrinterID) {
        try await base.transact { transaction in
            for scope in [
                "printer/mine", "printer/other", "manifest/other", "manifest/bridge", "pin/other", "bridge/options",
            ] {
                try transaction.update(scope, ["x": 1], by: "test", at: Date())
            }
        }
        return (
            FleetStore(base, ownership: ownership), "mine", "other"
        )
    }

    @Test("A member sees its own printers, and all that belongs to no printer")
    func filter() async throws {
        let (store, mine, other) = try await makeStore()
        #expect(try store.scopes(prefix: "") == ["bridge/options"])
        ownership.insert([mine])
        #expect(try store.scopes(prefix: "printer/").isEmpty, "without a lease nothing is shown")
        ownership.setDeadline(.now + .seconds(60))
        #expect(try store.scopes(prefix: "printer/") == ["printer/mine"])
        #expect(try store.record("printer/other") == nil && store.record("pin/other") == nil)
        #expect(try store.records(prefix: "manifest/").isEmpty)
        ownership.setLeader(true)
        #expect(try Set(store.records(prefix: "manifest/").keys) == ["manifest/bridge"])
        #expect(try await store.transact { try $0.record("printer/other") } != nil)
        #expect(store.allPrinters == [mine, other])
        ownership.setDeadline(.now - .seconds(1))
        #expect(try store.scopes(prefix: "") == ["bridge/options"])
    }

    @Test(
        "A request is done where its printer is, and everything else by the leader",
        arguments: [
            ("printer/probe", #"{"printer": "mine"}"#, true, false),
            ("printer/probe", #"{"printer": "other"}"#, false, false),
            ("printer/add", #"{"printer": "new"}"#, false, true),
            ("printer/add", #"{"printer": "mine"}"#, true, false),
            ("health", "", false, true),
            ("options", #"{"printer": "mine"}"#, false, true),
            ("printer/probe", "x", false, true),
        ]
    )
    func requests(verb: String, payload: String, byOwner: Bool, byLeader: Bool) async throws {
        let (store, mine, _) = try await makeStore()
        ownership.setDeadline(.now + .seconds(60))
        ownership.insert([mine])
        #expect(store.isMine(verb, Array(payload.utf8)) == byOwner)
        ownership.remove([mine])
        ownership.setLeader(true)
        #expect(store.isMine(verb, Array(payload.utf8)) == byLeader)
    }
}
