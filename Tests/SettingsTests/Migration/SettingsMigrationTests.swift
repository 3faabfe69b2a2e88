import Foundation
import Settings
import Testing

/// How stored settings come from one version to another.
@Suite struct SettingsMigrationTests {
    let store = InMemorySettingsStore()

    static let migrations = SettingsMigrations(
        scopes: "printer/",
        .version(1, .rename("ip", to: "printer_ip"), .remove("legacy")),
        .version(2, .transform("interval") { $0.intValue.map { .int($0 * 60) } }),
        .version(
            4,
            .split("address", into: ["host", "port"]) { value in
                let parts = (value.stringValue ?? "").split(separator: ":")
                return ["host": .string(String(parts[0])), "port": .int(Int(parts[1]) ?? 0)]
            }
        )
    )

    @Test("All versions since the stored one are applied to all scopes of the prefix, and to no other")
    func allVersions() async throws {
        try await put("printer/a", ["ip": "10.0.0.1", "legacy": true, "interval": 2, "unknown": ["kept": .null]])
        try await put("printer/b", ["address": "host:99"])
        try await put("camera/a", ["ip": "10.0.0.2"])
        let outcome = try await Self.migrations.run(on: store)
        #expect(outcome.from == 0 && outcome.to == 4 && outcome.didMigrate)
        #expect(values("printer/a") == ["printer_ip": "10.0.0.1", "interval": 120, "unknown": ["kept": .null]])
        #expect(values("printer/b") == ["host": "host", "port": 99])
        #expect(values("camera/a") == ["ip": "10.0.0.2"])
    }

    @Test("A second run does nothing, and writes nothing")
    func idempotent() async throws {
        try await put("printer/a", ["interval": 2])
        try await Self.migrations.run(on: store)
        let before = store.records(prefix: "")
        let outcome = try await Self.migrations.run(on: store)
        #expect(outcome.from == 4 && !outcome.didMigrate)
        #expect(store.records(prefix: "") == before)
    }

    @Test("Only the versions after the stored one are applied")
    func fromBetween() async throws {
        try await put("printer/a", ["interval": 2])
        try await SettingsMigrations(scopes: "printer/", .version(2)).run(on: store)
        try await put("printer/a", ["address": "h:1"])
        try await Self.migrations.run(on: store)
        #expect(values("printer/a") == ["interval": 2, "host": "h", "port": 1])
    }

    @Test("A new store begins at the newest version")
    func newStore() async throws {
        let outcome = try await Self.migrations.run(on: store)
        #expect(outcome.from == nil && outcome.to == 4 && !outcome.didMigrate)
        try await put("printer/a", ["interval": 2])
        try await Self.migrations.run(on: store)
        #expect(values("printer/a") == ["interval": 2])
    }

    @Test("Settings that were never marked have the version that was declared for them")
    func unmarked() async throws {
        try await put("printer/a", ["interval": 2, "ip": "x"])
        let migrations = SettingsMigrations(
            scopes: "printer/",
            unmarked: 1,
            .version(1, .rename("ip", to: "printer_ip")),
            .version(2, .remove("interval"))
        )
        #expect(try await migrations.run(on: store).from == 1)
        #expect(values("printer/a") == ["ip": "x"])
    }

    @Test("Settings of a later program are refused with both versions, and left alone")
    func downgrade() async throws {
        try await put("printer/a", ["interval": 2])
        try await SettingsMigrations(scopes: "printer/", .version(7)).run(on: store)
        let before = store.records(prefix: "")
        await #expect {
            try await Self.migrations.run(on: store)
        } throws: { error in
            let error = error as? SettingsError
            return error?.code == .newerSchema && error?.message.contains("version 7") == true
                && error?.message.contains("up to 4") == true
        }
        #expect(store.records(prefix: "") == before)
    }

    @Test("A failing step names version, step, scope and key, and leaves everything as it was")
    func failure() async throws {
        struct Odd: Error, CustomStringConvertible { let description = "it is odd" }
        try await put("printer/a", ["ip": "x", "interval": 1])
        try await put("printer/b", ["interval": 2])
        let before = store.records(prefix: "")
        let migrations = SettingsMigrations(
            scopes: "printer/",
            .version(1, .rename("ip", to: "printer_ip")),
            .version(2, .transform("interval") { if $0 == 2 { throw Odd() } else { 60 } })
        )
        let error = await #expect(throws: SettingsMigrationError.self) { try await migrations.run(on: store) }
        #expect(error?.version == 2 && error?.scope == "printer/b" && error?.key == "interval")
        #expect(
            error?.description
                == "the settings cannot be brought to version 2: the step 'transform interval' failed for "
                + "printer/b: it is odd; nothing was changed"
        )
        #expect(store.records(prefix: "") == before)
    }

    @Test(
        "A value that no store holds makes its step fail",
        arguments: [StoredValue.double(.nan), .array([.secret("x")])]
    )
    func unsupportedValue(value: StoredValue) async throws {
        try await put("printer/a", ["interval": 2])
        let migrations = SettingsMigrations(scopes: "printer/", .version(1, .transform("interval") { _ in value }))
        let error = await #expect(throws: SettingsMigrationError.self) { try await migrations.run(on: store) }
        #expect(error?.step == "transform interval")
        #expect(values("printer/a") == ["interval": 2])
    }

    @Test("Of many programs that migrate at once one does it, and the others find it done")
    func atOnce() async throws {
        try await put("printer/a", ["interval": 2])
        let runs = try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await Self.migrations.run(on: store) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(runs.filter(\.didMigrate).count == 1)
        #expect(runs.allSatisfy { $0.to == 4 })
        #expect(values("printer/a") == ["interval": 120])
    }

    @Test("Prefixes have versions of their own")
    func prefixes() async throws {
        try await put("camera/a", ["ip": "x"])
        try await put("printer/a", ["ip": "x"])
        try await SettingsMigrations(scopes: "camera/", .version(9, .remove("ip"))).run(on: store)
        #expect(values("camera/a") == [:] && values("printer/a") == ["ip": "x"])
        try await Self.migrations.run(on: store)
        #expect(values("printer/a") == ["printer_ip": "x"])
    }

    @Test("A model over migrated settings finds them under their new names")
    func model() async throws {
        try await put("boiler", ["degrees": 21, "code": "1234"])
        try await SettingsMigrations(
            .version(1, .rename("degrees", to: "target"), .rename("code", to: "pin"), .seal("pin"))
        )
        .run(on: store)
        let model = BoilerSettings(store: store, scope: "boiler")
        #expect(model.target == 21 && model.pin == "1234" && model.loadError == nil)
    }

    private func put(_ scope: String, _ changes: [String: StoredValue]) async throws {
        try await store.transact { try $0.update(scope, changes, by: "test", at: Date()) }
    }

    private func values(_ scope: String) -> [String: StoredValue]? { store.record(scope)?.values }
}
