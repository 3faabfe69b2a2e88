import Foundation
import Settings
import Testing

/// What each kind of step does.
@Suite struct SettingsMigrationStepTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let step: SettingsMigrationStep
        let before: [String: StoredValue]
        let after: [String: StoredValue]
        var testDescription: String { "\(step.name) of \(before)" }
    }

    static let secret = StoredValue.secret("s3cret")

    static let cases: [Case] = [
        Case(step: .rename("a", to: "b"), before: ["a": 1, "c": 2], after: ["b": 1, "c": 2]),
        Case(step: .rename("a", to: "b"), before: ["a": 1, "b": 2], after: ["b": 2]),
        Case(step: .rename("a", to: "b"), before: ["b": 2], after: ["b": 2]),
        Case(step: .rename("a", to: "b"), before: ["a": .null], after: ["b": .null]),
        Case(step: .rename("a", to: "b"), before: ["a": secret], after: ["b": secret]),
        Case(step: .remove("a"), before: ["a": 1, "b": 2], after: ["b": 2]),
        Case(step: .remove("a"), before: ["b": 2], after: ["b": 2]),
        Case(step: .add("a", 1), before: [:], after: ["a": 1]),
        Case(step: .add("a", 1), before: ["a": .null], after: ["a": .null]),
        Case(step: .transform("a") { .array([$0]) }, before: ["a": 1, "b": 1], after: ["a": [1], "b": 1]),
        Case(step: .transform("a") { _ in nil }, before: ["a": 1], after: [:]),
        Case(step: .transform("a") { _ in 1 }, before: ["b": 1], after: ["b": 1]),
        Case(
            step: .split("a", into: ["b", "c"]) { ["b": $0] },
            before: ["a": secret, "c": 1],
            after: ["b": secret, "c": 1]
        ),
        Case(step: .split("a", into: ["a", "b"]) { ["a": 2, "b": $0] }, before: ["a": 1], after: ["a": 2, "b": 1]),
        Case(step: .split("a", into: ["b"]) { ["b": $0] }, before: [:], after: [:]),
        Case(step: .join(["a", "b"], into: "c") { .object($0) }, before: ["a": 1], after: ["c": ["a": 1]]),
        Case(step: .join(["a", "b"], into: "a") { $0["b"] }, before: ["a": 1, "b": 2], after: ["a": 2]),
        Case(step: .join(["a", "b"], into: "c") { _ in 1 }, before: ["c": 2], after: ["c": 2]),
        Case(step: .seal("a"), before: ["a": "s3cret"], after: ["a": secret]),
        Case(step: .seal("a"), before: ["a": secret], after: ["a": secret]),
        Case(step: .seal("a"), before: ["a": 5], after: ["a": 5]),
        Case(step: .each("own") { $1["scope"] = .string($0) }, before: [:], after: ["scope": "s"]),
    ]

    @Test("A step turns the values of a scope into others", arguments: cases)
    func steps(row: Case) async throws {
        let store = InMemorySettingsStore()
        try await store.transact { try $0.update("s", row.before, by: "test", at: Date()) }
        try await SettingsMigrations(.version(1, row.step)).run(on: store)
        #expect(store.record("s")?.values == row.after)
        #expect(!"\(store.records(prefix: "")) \(row.step.name)".contains("s3cret") || row.before["a"] == "s3cret")
    }

    static let lookalikes: [(StoredValue, StoredValue)] = [("e\u{301}", "\u{E9}"), (-0.0, 0.0)]

    @Test("A step may make a value of one that only looks the same", arguments: Self.lookalikes)
    func looksTheSame(before: StoredValue, after: StoredValue) async throws {
        let store = InMemorySettingsStore()
        try await store.transact { try $0.update("s", ["a": before], by: "test", at: Date()) }
        try await SettingsMigrations(.version(1, .transform("a") { _ in after })).run(on: store)
        #expect(store.record("s")?.values["a"]?.json().utf8.elementsEqual(after.json().utf8) == true)
    }

    @Test("A step over the whole store may rename scopes, and later steps see it")
    func wholeStore() async throws {
        let store = InMemorySettingsStore()
        try await store.transact { try $0.update("old", ["a": 1, "key": Self.secret], by: "test", at: Date()) }
        try await SettingsMigrations(
            .version(
                1,
                .whole("rename old to new") { try $0.rename("old", to: "new", by: "migration", at: Date()) },
                .rename("a", to: "b")
            )
        ).run(on: store)
        #expect(store.record("old") == nil)
        #expect(store.record("new")?.values == ["b": 1, "key": Self.secret])
    }

    struct Talkative: Error, CustomStringConvertible {
        let description: String
    }

    static let talkative: [SettingsMigrationStep] = [
        .transform("key") { throw Talkative(description: reveal($0)) },
        .split("key", into: ["x"]) { throw Talkative(description: reveal($0)) },
        .split("key", into: ["x"]) { [reveal($0): 1] },
        .join(["key", "a"], into: "x") { throw Talkative(description: reveal($0["key"] ?? .null)) },
    ]

    @Test("What a step throws about a secret is not repeated", arguments: talkative)
    func secretsAreNotTold(step: SettingsMigrationStep) async throws {
        let store = InMemorySettingsStore()
        try await store.transact { try $0.update("s", ["a": 1, "key": Self.secret], by: "test", at: Date()) }
        let error = await #expect(throws: SettingsMigrationError.self) {
            try await SettingsMigrations(.version(1, step)).run(on: store)
        }
        #expect(error?.scope == "s")
        #expect(!"\(String(describing: error))".contains("s3cret"))
    }

    static func reveal(_ value: StoredValue) -> String {
        if case .secret(let secret) = value { secret.reveal() } else { "" }
    }
}
