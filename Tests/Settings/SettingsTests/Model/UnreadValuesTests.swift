import SettingsSamples
import StoredSettings
import Testing

private enum Kind: String { case book, film }
private struct Place: Codable, Hashable { var floor = 0 }

@ObservableSettings(prefix: "")
private final class Shelf {
    var kinds: [Kind] = []
    var kindsByName: [String: Kind] = [:]
    var places: [Place] = []
    var numbers: Set<Int> = []
    var kind = Kind.book
    var maybe: Kind?
    var place: Place?
    @Setting(previousKeys: ["old_title"]) var title = ""
    @Secret var codes: [Int] = []
}

@Suite("A stored value that cannot be read")
struct UnreadValuesTests {
    private let store = InMemorySettingsStore()

    private var stored: [String: JSONValue] { store.record("shelf")?.values ?? [:] }
    private var shelf: Shelf { Shelf(store: store, scope: "shelf") }

    private static let assignments: [(String, JSONValue, @Sendable (Shelf) -> Void)] = [
        ("kinds", ["book", "game"], { $0.kinds.append(.film) }),
        ("kinds", ["book", "game"], { $0.update(\.kinds) { $0.append(.film) } }),
        ("kindsByName", ["a": "book", "b": "game"], { $0.kindsByName["c"] = .film }),
        ("places", [["floor": 1], ["level": 2]], { $0.places.append(Place()) }),
        ("numbers", [1, "two"], { $0.numbers.insert(3) }),
        ("kind", "game", { $0.kind = .film }),
        ("maybe", "game", { $0.maybe = nil }),
        // Bytes under a key of UserDefaults that are no JSON.
        ("place", ["NSData": "/9g="], { $0.place = Place() }),
    ]

    @Test(arguments: 0..<assignments.count)
    func `An unread value is kept beside the value that is assigned`(number: Int) async throws {
        let (name, unread, assign) = Self.assignments[number]
        try await store.put("shelf", [name: unread])
        let shelf = shelf
        assign(shelf)
        try await shelf.commit()
        #expect(shelf.error == nil)
        #expect(stored.keys.sorted() == [name, name + ".unread"])
        #expect(stored[name] != unread && stored[name + ".unread"] == unread)
        assign(shelf)
        try await shelf.commit()
        #expect(stored.keys.sorted() == [name, name + ".unread"])
    }

    @Test func `An unread value is kept beside a value that is applied`() async throws {
        try await store.put("shelf", ["kinds": ["game"]])
        try await shelf.storage.apply(["kinds": ["film"]])
        #expect(stored == ["kinds": ["film"], "kinds.unread": ["game"]])
    }

    @Test func `An unread value does not take the place of another one, and is kept once`() async throws {
        let shelf = shelf
        for unread: JSONValue in [["game"], ["disc"], ["game"]] {
            try await store.put("shelf", ["kinds": unread])
            shelf.kinds = [.film]
            try await shelf.commit()
        }
        #expect(stored == ["kinds": ["film"], "kinds.unread": ["game"], "kinds.unread.2": ["disc"]])
    }

    @Test func `An unread value is removed by a reset, with all that was kept of the setting`() async throws {
        try await store.put(
            "shelf",
            ["kinds": ["game"], "kinds.unread": ["disc"], "kinds.unread.2": 1, "kinds.unreadable": 2]
        )
        let shelf = shelf
        shelf.reset(\.kinds)
        try await shelf.commit()
        #expect(stored == ["kinds.unreadable": 2])
    }

    @Test func `An unread value is kept under its setting's new name, and sealed if that is secret`() async throws {
        try await store.put("shelf", ["old_title": 7, "codes": "canary-1"])
        let shelf = shelf
        (shelf.title, shelf.codes) = ("a", [1])
        try await shelf.commit()
        let codes: [String: JSONValue] = ["codes": .secret("[1]"), "codes.unread": .secret("\"canary-1\"")]
        #expect(stored == codes.merging(["title": "a", "title.unread": 7]) { $1 })
    }

    @Test func `A value that was assigned before the stored one could be read is stored beside it`() async throws {
        try await store.put("shelf", ["kinds": ["game"], "numbers": [1], "old_title": "a", "codes": .secret("[2]")])
        let gate = GatedStore(store)
        gate.failReads(with: SettingsError(.corrupted, "it is broken"))
        let shelf = Shelf(store: gate, scope: "shelf")
        (shelf.kinds, shelf.numbers, shelf.title, shelf.codes) = ([.film], [1], "b", [1])
        await #expect(throws: SettingsError.self) { try await shelf.commit() }
        gate.failReads(with: nil)
        try await shelf.commit()
        let kept: [String: JSONValue] = ["kinds.unread": ["game"], "title.unread": "a", "codes.unread": .secret("[2]")]
        let new: [String: JSONValue] = ["kinds": ["film"], "numbers": [1], "title": "b", "codes": .secret("[1]")]
        #expect(stored == kept.merging(new) { $1 })
    }
}
