import SettingsSamples
import SettingsTesting
import StoredSettings
import Testing

@ObservableSettings(prefix: "")
private final class Door {
    @Secret var code = ""
    var name = ""
}

@Suite("A damaged secret", .timeLimit(.minutes(5)))
struct DamagedSecretTests {
    private let store = InMemorySettingsStore()

    private func damagedDoor() async throws -> Door {
        let door = Door(store: store, scope: "door")
        door.code = "1234"
        door.name = "front"
        try await door.commit()
        try await store.damage("door", "code")
        return Door(store: store, scope: "door")
    }

    @Test func `A damaged secret is reported and stays, while all other values remain in force`() async throws {
        let door = try await damagedDoor()
        #expect(door.code == "" && door.name == "front")
        #expect(door.error(of: \.code)?.code == .corrupted)
        #expect(door.error(of: \.code)?.message.contains("code: the stored secret is damaged") == true)
        #expect(door.error(of: \.name) == nil && door.error != nil)
        door.name = "back"
        door.reset(\.name)
        try await door.commit()
        #expect(store.record("door")?.damaged.keys.sorted() == ["code"])
        #expect(door.error != nil)
    }

    @Test(arguments: ["5678", "", nil])
    func `A damaged secret is repaired by an assignment, also of the default, or a reset`(code: String?) async throws {
        let door = try await damagedDoor()
        if let code { door.code = code } else { door.reset(\.code) }
        #expect(door.error == nil)
        try await door.commit()
        #expect(store.record("door")?.damaged == [:])
        #expect(store.record("door")?.values["code"] == code.map { .secret(Secret($0)) })
        #expect(door.error == nil && door.code == code ?? "")
    }

    @Test func `A model in use notices a damaged secret and also its repair by another writer`() async throws {
        let door = Door(store: store, scope: "door")
        door.code = "1234"
        try await door.commit()
        var codes = door.changes(of: \.code).makeAsyncIterator()
        #expect(await codes.next() == "1234")
        try await store.damage("door", "code")
        #expect(await codes.next() == "")
        #expect(door.error(of: \.code)?.code == .corrupted)
        try await store.put("door", ["code": .secret("5678")])
        #expect(await codes.next() == "5678")
        #expect(door.error == nil)
    }
}
