import Platform
import StoredSettings

extension StoreRequirement {
    static let values = [
        StoreRequirement("is empty at first") { trial in
            let store = trial.store
            try require("the record of a scope that was never written", try store.record("a"), equals: nil)
            try require("the list of scopes", try store.scopes(prefix: ""), equals: [])
            try require("the records of all scopes", try store.records(prefix: ""), equals: [:])
        },
        StoreRequirement("gives back every kind of value as it was, also when it is opened again") { trial in
            let record = try await trial.put("a", everyKind)
            try require("what the transaction returned", record.values, equals: everyKind)
            for (door, store) in [("the store", trial.store), ("the store opened again", try trial.openAgain())] {
                try require("the record from \(door)", try store.record("a"), equals: record)
                try require("all records from \(door)", try store.records(prefix: ""), equals: ["a": record])
                let inside = try await store.transact { try $0.record("a") }
                try require("the record inside a transaction of \(door)", inside, equals: record)
            }
            try require("the date", record.updatedAt, equals: .ofTrial)
            try require("the author", record.updatedBy, equals: "test")
        },
        StoreRequirement("tells a whole number from another one, and null from what is absent") { trial in
            try await trial.put("a", ["whole": 5, "real": .double(5), "null": .null])
            let values = try trial.openAgain().record("a")?.values ?? [:]
            try require("5", values["whole"], equals: .int(5))
            try require("5.0", values["real"], equals: .double(5))
            try require("null", values["null"], equals: .some(.null))
            try require("what was not set", values["absent"], equals: nil)
        },
        StoreRequirement("removes values and keeps the rest") { trial in
            try await trial.put("a", ["x": 1, "y": "text", "z": 3])
            try await trial.put("a", ["x": nil, "y": "other"])
            try trial.require("a", holds: ["y": "other", "z": 3], when: "after one was removed")
            try require("the revision", try trial.store.record("a")?.revision, equals: 2)
            try await trial.put("a", ["y": nil, "z": nil])
            try trial.require("a", holds: [:], when: "after all were removed")
            try require("the list of scopes", try trial.store.scopes(prefix: ""), equals: ["a"])
        },
        StoreRequirement("keeps its identity when it is opened again, and another store has another") { trial in
            let epoch = try trial.store.epoch
            try require(!epoch.isEmpty, "the epoch must not be empty")
            try require("the epoch of the store opened again", try trial.openAgain().epoch, equals: epoch)
            try require("the epoch in a transaction", try await trial.store.transact(\.epoch), equals: epoch)
            let other = try trial.kind.open()
            try require(try other.store.epoch != epoch, "the epoch of another store must be another")
            withExtendedLifetime(other) {}
        },
    ]

    private static let everyKind: [String: JSONValue] = [
        "null": .null,
        "bool": true,
        "int": .int(.min),
        "double": 0.1,
        "whole double": .double(5),
        "large": 1e300,
        "tiny": .double(.leastNonzeroMagnitude),
        "string": "a\0b\n\"\\é😀\u{FFFF}",
        "empty": "",
        "array": [1, [2.5, .null], "x"],
        "object": ["a": ["b": []], "": 1],
        "a key with é, ' and \"": 1,
    ]

    static let secrets = [
        StoreRequirement("keeps secrets as secrets, through removals, renames and doors, or refuses them") { trial in
            guard trial.kind.storesSecrets else { return try await requireRefusal(trial) }
            let values: [String: JSONValue] = ["code": .secret("s3cret-é"), "empty": .secret(""), "x": 1]
            try await trial.put("a", values)
            try require("the values with secrets", try trial.openAgain().record("a")?.values, equals: values)
            try await trial.store.transact { try $0.rename("a", to: "b") }
            try require("the values after a rename", try trial.openAgain().record("b")?.values, equals: values)
            try await trial.put("b", ["code": "plain", "empty": nil])
            let when = "after the secrets were replaced and removed"
            try trial.require("b", holds: ["code": "plain", "x": 1], when: when)
            try await trial.put("b", ["code": .secret("again")])
            try trial.require("b", holds: ["code": .secret("again"), "x": 1], when: "after a secret was set again")
        },
        StoreRequirement("keeps a damaged secret, and all else of its scope, until it is set or removed") { trial in
            guard trial.kind.storesSecrets else { return }
            let store = trial.store
            func requireDamaged(_ scope: String, _ keys: Set<String>, x: JSONValue, when: String) throws {
                for record in [try store.record(scope), try trial.openAgain().records(prefix: scope)[scope]] {
                    let damaged = Dictionary(uniqueKeysWithValues: keys.map { ($0, [1, 2, 3] as [UInt8]) })
                    try require("the damaged secrets \(when)", record?.damaged, equals: damaged)
                    let values: [String: JSONValue] = ["other": .secret("s3cret"), "x": x]
                    try require("the other values \(when)", record?.values, equals: values)
                }
            }
            try await trial.put("a", ["code": .secret("gone"), "old": .secret("gone"), "other": .secret("s3cret")])
            for key in ["code", "old"] { try await store.damage("a", key) }
            try await trial.put("a", ["x": 1])
            try requireDamaged("a", ["code", "old"], x: 1, when: "after another value was set")
            try await trial.put("a", ["x": 2, "old": nil])
            try requireDamaged("a", ["code"], x: 2, when: "after one was removed")
            try await store.transact { try $0.rename("a", to: "b") }
            try requireDamaged("b", ["code"], x: 2, when: "after a rename")
            try await trial.put("b", ["code": .secret("again")], through: try trial.openAgain())
            let values: [String: JSONValue] = ["code": .secret("again"), "other": .secret("s3cret"), "x": 2]
            try trial.require("b", holds: values, when: "after the damaged secret was set again")
            try await store.damage("b", "code")
            try await store.transact { transaction in
                try transaction.remove("b")
                try transaction.put("b", ["other": .secret("s3cret"), "x": 3])
            }
            try requireDamaged("b", [], x: 3, when: "after the scope was removed and made again")
        },
    ]

    private static func requireRefusal(_ trial: StoreTrial) async throws {
        do {
            try await trial.put("a", ["x": 1, "code": .secret("s")])
            throw RequirementFailure("a store that takes no secrets must refuse one, and did not")
        } catch let error as SettingsError {
            try require("the code of the refusal", error.code, equals: .noKey)
        }
        try trial.require("a", holds: nil, when: "after a secret was refused")
        try await trial.put("a", ["x": 1])
        try trial.require("a", holds: ["x": 1], when: "after a secret was refused")
    }
}
