import Observation
import Settings
import Synchronization
import TestSupport
import Testing

@Suite("A value that is equal and not the same")
struct SameButDifferentTests {
    /// A person is the same whatever the name.
    private struct Person: Codable, Hashable {
        var id: Int
        var name: String

        static func == (one: Person, other: Person) -> Bool { one.id == other.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    private static let text = SettingsKey("text", default: "caf\u{e9}")
    private static let number = SettingsKey("number", default: 0.0)
    private static let person = SettingsSchema.key("person", default: Person(id: 1, name: "a"), SettingMetadata())
    private static let schema = SettingsSchema(text, number, person)

    private let store = InMemorySettingsStore()

    @Test("is in force and stored, and nobody is told")
    func taken() async throws {
        let backing = SettingsBacking(scope: "s", schema: Self.schema, store: store)
        backing[Self.text] = "caf\u{e9}"
        backing[Self.number] = 0.0
        backing[Self.person] = Person(id: 1, name: "a")
        try await backing.commit()
        let told = Atomic(0)
        withObservationTracking {
            _ = (backing[Self.text], backing[Self.number], backing[Self.person])
        } onChange: {
            told.add(1, ordering: .relaxed)
        }
        backing[Self.text] = "cafe\u{301}"
        backing[Self.number] = -0.0
        backing[Self.person] = Person(id: 1, name: "b")
        try await backing.commit()
        let again = SettingsBacking(scope: "s", schema: Self.schema, store: store)
        for backing in [backing, again] {
            #expect(backing[Self.text].utf8.count == 6)
            #expect(backing[Self.number].sign == .minus)
            #expect(backing[Self.person].name == "b")
        }
        #expect(told.load(ordering: .relaxed) == 0)
    }

    @Test("one that is the same is not stored again")
    func same() async throws {
        let backing = SettingsBacking(scope: "s", schema: Self.schema, store: store)
        for _ in 0..<3 {
            backing[Self.text] = "x"
            backing[Self.person] = Person(id: 2, name: "b")
            try await backing.commit()
        }
        #expect(store.record("s")?.revision == 1)
    }
}
