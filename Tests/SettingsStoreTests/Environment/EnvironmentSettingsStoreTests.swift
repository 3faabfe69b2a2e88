import Foundation
import Settings
import TestSupport
import Testing

@Suite("settings that the environment gives")
struct EnvironmentSettingsStoreTests {
    private static let schema = SettingsSchema(
        SettingsKey("brightness", default: 50, in: 0...100),
        SettingsKey("night-light", default: false),
        SettingsKey("name", default: ""),
        SettingsKey("factor", default: 1.0),
        SettingsKey("days", default: [0]),
        SettingsKey("token", default: Secret(""))
    )

    private let base = InMemorySettingsStore()

    private func store(
        _ environment: [String: String],
        prefix: String = "LAMP"
    ) throws -> EnvironmentSettingsStore {
        try EnvironmentSettingsStore(
            over: base,
            prefix: prefix,
            settings: ["kitchen/desk": Self.schema],
            environment: environment
        )
    }

    private func refusal(_ environment: [String: String]) -> String? {
        do {
            _ = try store(environment)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("are read by the types of their settings, under upper-cased names")
    func types() throws {
        let store = try store([
            "LAMP_KITCHEN_DESK_BRIGHTNESS": "80",
            "LAMP_KITCHEN_DESK_NIGHT_LIGHT": "yes",
            "LAMP_KITCHEN_DESK_NAME": "80",
            "LAMP_KITCHEN_DESK_FACTOR": "2",
            "LAMP_KITCHEN_DESK_DAYS": "[1,2]",
            "LAMP_KITCHEN_DESK_TOKEN": "s3cret",
            "LAMP_KITCHEN_DESK_BRIGHTNES": "1",
            "HOME": "/root",
        ])
        #expect(
            try store.record("kitchen/desk")?.values == [
                "brightness": 80, "night-light": true, "name": "80", "factor": .double(2), "days": [1, 2],
                "token": .secret("s3cret"),
            ]
        )
        #expect(store.unknownVariables == ["LAMP_KITCHEN_DESK_BRIGHTNES"])
    }

    @Test("have one name for two spellings of a key", arguments: ["caf\u{E9}", "cafe\u{301}", "cafe\u{338}"])
    func spellings(key: String) throws {
        let schema = SettingsSchema(SettingsKey(key, default: 0))
        let store = try EnvironmentSettingsStore(
            over: base,
            prefix: "LAMP",
            settings: ["a": schema],
            environment: ["LAMP_A_CAF_": "1"]
        )
        #expect(try store.record("a")?.values == [key: 1])
    }

    @Test("need no prefix")
    func noPrefix() throws {
        let store = try store(["KITCHEN_DESK_BRIGHTNESS": "80", "HOME": "/root"], prefix: "")
        #expect(try store.record("kitchen/desk")?.values == ["brightness": 80])
        #expect(store.unknownVariables.isEmpty)
    }

    @Test(
        "are refused with the name of the variable when they do not fit, and are not printed",
        arguments: [
            ("LAMP_KITCHEN_DESK_BRIGHTNESS", "canary", "must be an integer"),
            ("LAMP_KITCHEN_DESK_BRIGHTNESS", "101", "must be from 0 to 100"),
            ("LAMP_KITCHEN_DESK_NIGHT_LIGHT", "canary", "must be true or false"),
            ("LAMP_KITCHEN_DESK_DAYS", "canary", "must be a list"),
            ("LAMP_KITCHEN_DESK_TOKEN_FILE", "/nowhere/token", "is not there"),
            ("LAMP_KITCHEN_DESK_TOKEN_FILE", "/", "cannot be read"),
        ]
    )
    func refused(name: String, value: String, message: String) throws {
        let error = try #require(refusal([name: value]))
        #expect(error.contains(name) || error.contains(value))
        #expect(error.contains(message))
        #expect(!error.contains("canary"))
    }

    @Test("hide what is stored, also in transactions, and leave it as it is")
    func hide() async throws {
        try await base.transact {
            try $0.update("kitchen/desk", ["brightness": 10, "name": "old"], by: "test", at: Date())
        }
        let store = try store(["LAMP_KITCHEN_DESK_BRIGHTNESS": "80"])
        let seen = try await store.transact { transaction in
            let seen = try transaction.record("kitchen/desk")?.values["brightness"]
            try transaction.update("kitchen/desk", ["name": "new", "brightness": 80], by: "test", at: Date())
            return seen
        }
        #expect(seen == 80)
        for records in [
            try store.records(prefix: "kitchen"), try await store.records(of: ["kitchen/desk"]),
            ["kitchen/desk": try #require(try store.record("kitchen/desk"))],
        ] {
            #expect(records["kitchen/desk"]?.values == ["brightness": 80, "name": "new"])
            #expect(records["kitchen/desk"]?.revision == 2)
        }
        #expect(base.record("kitchen/desk")?.values == ["brightness": 10, "name": "new"])
    }

    @Test("cannot be changed, reset, removed or renamed away, and the error names the variable")
    func readOnly() async throws {
        try await base.transact { try $0.update("kitchen/desk", ["name": "old"], by: "test", at: Date()) }
        let store = try store(["LAMP_KITCHEN_DESK_TOKEN": "canary"])
        let attempts: [@Sendable (inout SettingsTransaction) throws -> Void] = [
            { try $0.update("kitchen/desk", ["token": .secret("other")], by: "test", at: Date()) },
            { try $0.update("kitchen/desk", ["token": nil], by: "test", at: Date()) },
            { try $0.remove("kitchen/desk") },
            { try $0.rename("kitchen/desk", to: "hall", by: "test", at: Date()) },
            { transaction in
                try transaction.remove("kitchen/desk")
                try transaction.update("kitchen/desk", ["name": "new"], by: "test", at: Date())
            },
        ]
        for attempt in attempts {
            let error = await #expect(throws: SettingsError.self) { try await store.transact(attempt) }
            #expect(error?.code == .readOnly)
            #expect(error?.message.contains("the environment variable LAMP_KITCHEN_DESK_TOKEN") == true)
            #expect(error?.message.contains("canary") == false)
        }
        #expect(base.record("kitchen/desk")?.values == ["name": "old"])
        #expect(base.record("hall") == nil)
    }

    @Test("make a scope that is not stored, and its first stored value makes it above all revisions before")
    func onlyGiven() async throws {
        try await base.transact { try $0.update("kitchen/desk", ["name": "old"], by: "test", at: Date()) }
        try await base.transact { try $0.remove("kitchen/desk") }
        let store = try store(["LAMP_KITCHEN_DESK_BRIGHTNESS": "80"])
        #expect(try store.scopes(prefix: "") == ["kitchen/desk"])
        #expect(try store.scopes(prefix: "x") == [])
        let record = try await store.transact {
            try $0.update("kitchen/desk", ["name": "new"], by: "test", at: Date())
        }
        #expect(record.revision == 2)
        #expect(base.record("kitchen/desk")?.values == ["name": "new"])
    }

    @Test("are secret, and come from a file or from systemd too, but from one place only")
    func secrets() throws {
        let directory = try TemporaryDirectory()
        try Data("from-file\n".utf8).write(to: directory.file("token"))
        try Data("from-systemd".utf8).write(to: directory.file("lamp_kitchen_desk_token"))
        let file = ["LAMP_KITCHEN_DESK_TOKEN_FILE": directory.file("token").path]
        let credentials = ["CREDENTIALS_DIRECTORY": directory.url.path]
        func token(_ environment: [String: String]) throws -> StoredValue? {
            try store(environment).record("kitchen/desk")?.values["token"]
        }
        #expect(try token(file) == .secret("from-file"))
        #expect(try token(credentials) == .secret("from-systemd"))
        #expect(try token(credentials.merging(file) { $1 }) == .secret("from-file"))
        #expect(try store(file).unknownVariables.isEmpty)
        let both = refusal(file.merging(["LAMP_KITCHEN_DESK_TOKEN": "canary"]) { $1 })
        #expect(both == "LAMP_KITCHEN_DESK_TOKEN and LAMP_KITCHEN_DESK_TOKEN_FILE are both set: remove one of them")
        #expect(try token(["CREDENTIALS_DIRECTORY": directory.file("none").path]) == nil)
    }

    @Test("must not be meant by one variable for two settings")
    func ambiguous() {
        let schema = SettingsSchema(SettingsKey("a-b", default: 0), SettingsKey("a_b", default: 0))
        let error = #expect(throws: SettingsError.self) {
            try EnvironmentSettingsStore(over: base, prefix: "X", settings: ["s": schema], environment: [:])
        }
        #expect(error?.message == "the environment variable X_S_A_B would stand for s a-b and for s a_b")
    }

    @Test("of a model that is declared by the macro do not name its class twice")
    func classNames() throws {
        let schema = SettingsSchema(SettingsKey("Lamp.level", default: 0))
        let store = try EnvironmentSettingsStore(
            over: base,
            prefix: "X",
            settings: ["Lamp": schema],
            environment: ["X_LAMP_LEVEL": "3"]
        )
        #expect(try store.record("Lamp")?.values == ["Lamp.level": 3])
    }

    @Test("are what a model reads, and its own assignment to one is an error it can see")
    func model() async throws {
        let key = SettingsKey("brightness", default: 50)
        let backing = SettingsBacking(
            scope: "kitchen/desk",
            schema: SettingsSchema(key),
            store: try store(["LAMP_KITCHEN_DESK_BRIGHTNESS": "80"])
        )
        #expect(backing[key] == 80)
        backing[key] = 20
        let error = await #expect(throws: SettingsError.self) { try await backing.commit() }
        #expect(error?.code == .readOnly)
    }
}
