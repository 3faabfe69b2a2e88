import StoredSettings

extension StoreRequirement {
    static let transactions = [
        StoreRequirement("stores nothing of a body that throws, and throws its error") { trial in
            try await trial.put("a", ["x": 1])
            do {
                try await trial.store.transact { transaction in
                    for scope in ["a", "b"] { try transaction.put(scope, ["x": 2]) }
                    throw StoreTrial.Refused()
                }
                throw RequirementFailure("the error of the body must be thrown, and was not")
            } catch is StoreTrial.Refused {}
            try trial.require("a", holds: ["x": 1], when: "after a body that threw")
            try trial.require("b", holds: nil, when: "after a body that threw")
            let again = try trial.openAgain()
            try require("the list of scopes, opened again", try again.scopes(prefix: ""), equals: ["a"])
        },
        StoreRequirement("reads its own writes inside a transaction") { trial in
            try await trial.put("a", ["x": 1])
            let seen = try await trial.store.transact { transaction in
                try transaction.put("a", ["x": 2])
                try transaction.put("b", ["x": 3])
                return (try transaction.record("a")?.values, try transaction.scopes(prefix: ""))
            }
            try require("a value that was just written", seen.0, equals: ["x": 2])
            try require("the list of scopes after one was made", seen.1, equals: ["a", "b"])
        },
        StoreRequirement("can be read right after a transaction, through every door") { trial in
            let other = try trial.openAgain()
            for value in 1...20 {
                try await trial.put("a", ["x": .int(value)])
                for store in [trial.store, other] {
                    let found = try store.record("a")?.values
                    try require("what is read after it was written", found, equals: ["x": .int(value)])
                }
            }
        },
        StoreRequirement("keeps a transaction that was handed in when its task is cancelled") { trial in
            let task = Task { try await trial.put("a", ["x": 1]) }
            task.cancel()
            if (try? await task.value) != nil {
                try trial.require("a", holds: ["x": 1], when: "after a transaction that returned")
            }
            try await trial.put("a", ["y": 2])
            try require("the value after it", try trial.store.record("a")?.values["y"], equals: 2)
        },
    ]

    static let concurrency = [
        StoreRequirement("runs a thousand at once: each alone, none lost, and those that throw hurt nobody") { trial in
            let stores = [trial.store, try trial.openAgain()]
            let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<1000 {
                    group.addTask { try await count(in: stores[index % 2], refusing: index % 10 == 0) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try require("the number of bodies that threw", refused, equals: 100)
            for store in stores {
                let record = try store.record("a")
                try require("what 900 transactions counted", record?.values["count"], equals: 900)
                try require("the revision after 900 transactions", record?.revision, equals: 900)
            }
        },
        StoreRequirement("shows readers one moment, never half of a transaction") { trial in
            let writer = Task {
                for value in 1...200 {
                    try await trial.store.transact { transaction in
                        for scope in ["a", "b"] { try transaction.put(scope, ["x": .int(value)]) }
                    }
                }
            }
            let other = try trial.openAgain()
            var last = 0
            while last < 200 {
                // Without this, a store that loses the last value would be read for ever.
                try Task.checkCancellation()
                let all = try other.records(prefix: "")
                let each = try other.read { reader in try ["a", "b"].map { try reader.record($0) } }
                for records in [[all["a"], all["b"]], each] {
                    let values = records.map { $0?.values["x"]?.intValue ?? 0 }
                    try require("the value of b beside that of a", values[1], equals: values[0])
                    try require(values[0] >= last, "a value went back from \(last) to \(values[0])")
                    last = values[0]
                }
                await Task.yield()
            }
            try await writer.value
        },
    ]

    private static func count(in store: any SettingsStore, refusing: Bool) async throws -> Bool {
        do {
            try await store.transact { transaction in
                let count = try transaction.record("a")?.values["count"]?.intValue ?? 0
                try transaction.put("a", ["count": .int(count + 1)])
                if refusing { throw StoreTrial.Refused() }
            }
            return false
        } catch is StoreTrial.Refused {
            return true
        }
    }
}
