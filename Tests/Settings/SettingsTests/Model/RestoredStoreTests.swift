import Foundation
import StoredSettings
import Synchronization
import TestSupport
import Testing

/// A store whose copy of yesterday can be put in its place.
private final class CopiedStore: SettingsStore {
    private let current = Mutex(InMemorySettingsStore())
    private let observers = StoreObservers()

    private var base: InMemorySettingsStore { current.withLock(\.self) }

    func restore(_ values: [String: JSONValue?]) async throws {
        let copy = InMemorySettingsStore()
        try await copy.transact { try $0.update("lamp/a", values, by: "yesterday", at: Date()) }
        current.withLock { $0 = copy }
    }

    func announce() throws { observers.tell(try read { StoreChanges(of: ["lamp/a"], in: $0) }) }

    func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result { try base.read(body) }
    func add(_ observer: StoreObserver) { observers.add(observer) }

    @discardableResult
    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        let (result, writes) = try await base.transact { transaction in (try body(&transaction), transaction.writes) }
        observers.tell(StoreChanges(writes))
        return result
    }
}

@Suite("A store that goes back")
struct RestoredStoreTests {
    private let store = CopiedStore()
    private let lamp: LampSettings

    init() async throws {
        lamp = LampSettings(store: store)
        for hours in 1...5 {
            lamp.hours = hours
            try await lamp.storage.commit()
        }
    }

    @Test func `A restored store gives its values to the models, although its revision is lower`() async throws {
        try await store.restore(["hours": 2])
        try store.announce()
        try await eventually("the hours of the copy") { lamp.hours == 2 }
        #expect(lamp.storage.record?.revision == 1)
    }

    @Test func `A restored store keeps what is assigned then, and gives what else it has`() async throws {
        try await store.restore(["hours": 2, "name": "old"])
        lamp.hours = 9
        try await lamp.storage.commit()
        #expect(lamp.hours == 9)
        #expect(lamp.name == "old")
        try store.announce()
        #expect(LampSettings(store: store).hours == 9)
        #expect(lamp.hours == 9)
    }
}
