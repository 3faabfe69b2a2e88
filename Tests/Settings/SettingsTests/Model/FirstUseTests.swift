import Dispatch
import Foundation
import StoredSettings
import Synchronization
import Testing

@ObservableSettings private final class Counter { var count = 0 }

private let store = InMemorySettingsStore()

@ObservableSettings private final class Units { var perMetre = 1.0 }

/// A type that looks at another model to read its values.
private struct Length: Codable {
    var metres = 1.0

    init() {}
    init(from decoder: any Decoder) throws {
        metres = try decoder.singleValueContainer().decode(Double.self) / Units(store: store, scope: "units").perMetre
    }
}

@ObservableSettings(prefix: "") private final class Desk {
    @Setting(previousKeys: ["width"]) var breadth = Length()
}

@Suite("The first use of a store")
struct FirstUseTests {
    @Test func `A store's first use by two threads at once makes one model, which loses no change`() async throws {
        let store = GatedStore(delay: 0.2)
        let counters = Mutex<[Counter]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            // The second comes while the first waits for its observer.
            Thread.sleep(forTimeInterval: 0.05 * Double(number))
            let counter = Counter(store: store)
            for _ in 0..<10 { counter.update(\.count) { $0 += 1 } }
            counters.withLock { $0.append(counter) }
        }
        for counter in counters.withLock(\.self) {
            try await counter.commit()
            #expect(counter.count == 20)
        }
    }

    @Test func `The first use of a store may decode a value whose type uses another model in any scope`() async throws {
        try await store.transact { transaction in
            try transaction.update("units", ["Units.perMetre": 100], by: "test", at: .now)
            try transaction.update("desk/followed", ["width": 250], by: "test", at: .now)
            try transaction.update("other desk", ["width": 250], by: "test", at: .now)
        }
        let followed = try store.follow("desk/")
        for scope in ["desk/followed", "other desk"] {
            let desk = Desk(store: store, scope: scope)
            try await desk.commit()
            #expect(desk.breadth.metres == 2.5)
            #expect(store.record(scope)?.values["width"] == nil)
        }
        withExtendedLifetime(followed) {}
    }
}
