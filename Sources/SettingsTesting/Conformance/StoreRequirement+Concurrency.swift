import Settings

extension StoreRequirement {
    /// Many at a time, through several doors.
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
                        for scope in ["a", "b"] {
                            try transaction.update(scope, ["x": .int(value)], by: "test", at: StoreTrial.date)
                        }
                    }
                }
            }
            let other = try trial.openAgain()
            var last = 0
            while last < 200 {
                // One that lost the last would be read for ever.
                try Task.checkCancellation()
                for records in [try other.records(prefix: ""), try await other.records(of: ["a", "b"])] {
                    let values = ["a", "b"].map { records[$0]?.values["x"]?.intValue ?? 0 }
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
                try transaction.update("a", ["count": .int(count + 1)], by: "test", at: StoreTrial.date)
                if refusing { throw StoreTrial.Refused() }
            }
            return false
        } catch is StoreTrial.Refused {
            return true
        }
    }
}
