import SettingsSamples
import StoredSettings
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
    private static let person = SettingsKey("person", default: Person(id: 1, name: "a"), SettingMetadata())
    private static let schema = SettingsSchema(text, number, person)

    private let store = InMemorySettingsStore()

    @Test func `An equal value is in force and stored, and nobody is told`() async throws {
        let storage = SettingsStorage(scope: "s", schema: Self.schema, store: store)
        storage[Self.text] = "caf\u{e9}"
        storage[Self.number] = 0.0
        storage[Self.person] = Person(id: 1, name: "a")
        try await storage.commit()
        let isTold = observe { (storage[Self.text], storage[Self.number], storage[Self.person]) }
        storage[Self.text] = "cafe\u{301}"
        storage[Self.number] = -0.0
        storage[Self.person] = Person(id: 1, name: "b")
        try await storage.commit()
        let again = SettingsStorage(scope: "s", schema: Self.schema, store: store)
        for storage in [storage, again] {
            #expect(storage[Self.text].utf8.count == 6)
            #expect(storage[Self.number].sign == .minus)
            #expect(storage[Self.person].name == "b")
        }
        #expect(!isTold.value)
    }
}
