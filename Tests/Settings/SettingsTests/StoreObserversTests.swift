import SettingsTesting
import StoredSettings
import Synchronization
import TestSupport
import Testing

@Suite("The observers of a store", .timeLimit(.minutes(5)))
struct StoreObserversTests {
    private let store = GatedStore(isDeaf: true)

    private func say(_ scopes: Set<String>) { store.tell(StoreChanges(scopes.reduce(into: [:]) { $0[$1] = .removed })) }

    @Test func `Each observer is told of each change from then on, and of none that is empty`() async {
        var first = store.changes().makeAsyncIterator()
        say(["a"])
        var second = store.changes().makeAsyncIterator()
        say([])
        say(["x"])
        #expect(await [first.next()?.scopes, first.next()?.scopes] == [["a"], ["x"]])
        #expect(await second.next()?.scopes == ["x"])
    }

    @Test func `What an observer causes while it is told comes after that`() {
        let told = Mutex<[Set<String>]>([])
        let observer = StoreObserver { [self] changes in
            if changes.scopes == ["a"] { say(["b"]) }
            told.withLock { $0.append(changes.scopes) }
        }
        store.add(observer)
        say(["a"])
        #expect(told.withLock(\.self) == [["a"], ["b"]])
        withExtendedLifetime(observer) {}
    }

    @Test func `A store does not keep its observers`() {
        let told = LockedValue(0)
        do {
            let observer = StoreObserver { _ in told.value += 1 }
            store.add(observer)
            say(["a"])
            withExtendedLifetime(observer) {}
        }
        say(["a"])
        #expect(told.value == 1)
    }

    @Test func `A store checks for changes of other processes only while it has an observer`() async throws {
        let looks = LockedValue(0)
        let observers = StoreObservers()
        #expect(!observers.isLooking)
        for _ in 0..<2 {
            let before = looks.value
            let observer = Mutex<StoreObserver?>(StoreObserver { _ in })
            observer.withLock { observer in
                guard let observer else { return }
                observers.add(observer, lookingEvery: .milliseconds(5)) { looks.value += 1 }
            }
            try await eventually("a look") { looks.value > before }
            observer.withLock { $0 = nil }
            try await eventually("the end") { !observers.isLooking }
        }
    }
}
