import Settings

extension StoreRequirement {
    /// Changes happen together or not at all.
    static let transactions = [
        StoreRequirement("stores nothing of a body that throws, and throws its error") { trial in
            try await trial.put("a", ["x": 1])
            do {
                try await trial.store.transact { transaction in
                    try transaction.update("a", ["x": 2], by: "test", at: StoreTrial.date)
                    try transaction.update("b", ["x": 2], by: "test", at: StoreTrial.date)
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
                try transaction.update("a", ["x": 2], by: "test", at: StoreTrial.date)
                try transaction.update("b", ["x": 3], by: "test", at: StoreTrial.date)
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
                    let records = try await store.records(of: ["a"])
                    try require("what is read after it was written", records["a"]?.values, equals: ["x": .int(value)])
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
}
