import SettingsTesting
import StoredSettings
import Synchronization
import TestSupport
import Testing

/// A store that says only what it is told to say.
private final class SayingStore: SettingsStore {
    let observers = StoreObservers()

    func say(_ scopes: Set<String>) { observers.tell(StoreChanges(scopes.reduce(into: [:]) { $0[$1] = .removed })) }

    func add(_ observer: StoreObserver) { observers.add(observer) }

    func read<Result>(_ body: (any SettingsReader) throws -> Result) throws -> Result {
        throw SettingsError(.unavailable, "is not there")
    }

    func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result { throw SettingsError(.unavailable, "is not there") }
}

@Suite("The observers of a store")
struct StoreObserversTests {
    private let store = SayingStore()

    @Test func `Each observer is told of each change from then on, and of none that is empty`() async {
        var first = store.changes().makeAsyncIterator()
        store.say(["a"])
        var second = store.changes().makeAsyncIterator()
        store.say([])
        store.say(["x"])
        #expect(await [first.next()?.scopes, first.next()?.scopes] == [["a"], ["x"]])
        #expect(await second.next()?.scopes == ["x"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `What an observer causes while it is told comes after that`() {
        let told = Mutex<[Set<String>]>([])
        let observer = StoreObserver { [store] changes in
            if changes.scopes == ["a"] { store.say(["b"]) }
            told.withLock { $0.append(changes.scopes) }
        }
        store.add(observer)
        store.say(["a"])
        #expect(told.withLock(\.self) == [["a"], ["b"]])
        withExtendedLifetime(observer) {}
    }

    @Test func `A store does not keep its observers`() {
        let told = Atomic(0)
        do {
            let observer = StoreObserver { _ in told.add(1, ordering: .relaxed) }
            store.add(observer)
            store.say(["a"])
            withExtendedLifetime(observer) {}
        }
        store.say(["a"])
        #expect(told.load(ordering: .relaxed) == 1)
    }

    @Test func `A store checks for changes of other processes only while it has an observer`() async throws {
        let looks = Counter()
        let observers = store.observers
        #expect(!observers.isLooking)
        for _ in 0..<2 {
            let before = looks.count.load(ordering: .relaxed)
            let observer = Mutex<StoreObserver?>(StoreObserver { _ in })
            observer.withLock { observer in
                guard let observer else { return }
                observers.add(observer, lookingEvery: .milliseconds(5)) { looks.count.add(1, ordering: .relaxed) }
            }
            try await eventually("a look") { looks.count.load(ordering: .relaxed) > before }
            observer.withLock { $0 = nil }
            try await eventually("the end") { !observers.isLooking }
        }
    }

    private final class Counter: Sendable { let count = Atomic(0) }
}
