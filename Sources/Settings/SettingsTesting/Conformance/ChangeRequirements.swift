import Platform
import StoredSettings

extension StoreRequirement {
    static let changes = [
        StoreRequirement("tells everybody what was changed, also through another door") { trial in
            let other = try trial.openAgain()
            try await trial.put("before", ["x": 1])
            let streams = [trial.store.changes(), other.changes()]
            try await trial.put("a", ["x": 1])
            try await trial.put("a", ["x": 1])
            try await trial.store.transact { try $0.remove("before") }
            try await trial.put("b", ["x": 1], through: other)
            for stream in streams {
                var seen: Set<String> = []
                for await change in stream {
                    seen.formUnion(change.scopes)
                    if seen.isSuperset(of: ["a", "b", "before"]) { break }
                }
                try require("the scopes that were told", seen.sorted(), equals: ["a", "b", "before"])
            }
        },
        StoreRequirement("tells what a transaction stored before the transaction returns, with the record") { trial in
            let told = LockedValue<[String: SettingsRecord?]>([:])
            let observer = StoreObserver { told.value = $0.states.mapValues(\.record) }
            trial.store.add(observer)
            for value in 1...20 {
                let record = try await trial.put("a", ["x": .int(value)])
                try require("what was told", told.value, equals: ["a": record])
            }
            try await trial.store.transact { try $0.remove("a") }
            try require("what was told of a removal", told.value, equals: ["a": nil])
            withExtendedLifetime(observer) {}
        },
        StoreRequirement("tells in the order of the commits") { trial in
            let told = LockedValue<[Int]>([])
            let observer = StoreObserver { changes in
                if let record = changes.states["a"]?.record { told.value += [record.revision] }
            }
            trial.store.add(observer)
            try await withThrowingTaskGroup { group in
                for writer in 0..<8 {
                    group.addTask {
                        for value in 0..<25 { try await trial.put("a", ["x\(writer)": .int(value)]) }
                    }
                }
                try await group.waitForAll()
            }
            try require("the revisions that were told", told.value, equals: told.value.sorted())
            try require("the last of them", told.value.last, equals: 200)
            withExtendedLifetime(observer) {}
        },
        StoreRequirement("goes by revisions, and takes any date: the clock may be put back") { trial in
            let other = try trial.openAgain()
            let changes = other.changes()
            let epoch = try trial.store.epoch
            let dates = [1e9, 0, -1e9, 2e9].map(Date.init(timeIntervalSince1970:)) + [.distantPast, .distantFuture]
            for (index, date) in dates.enumerated() {
                // At once, so that they may be made durable together.
                async let one = trial.store.transact { try $0.update("a", ["x": .int(index)], by: "test", at: date) }
                async let two = trial.store.transact { try $0.update("b", ["x": .int(index)], by: "test", at: date) }
                let revisions = try await [one, two].map(\.revision)
                try require("the revisions", revisions, equals: [index + 1, index + 1])
                try require("the date", try other.record("a")?.updatedAt, equals: date)
                try require("the value", try other.record("a")?.values, equals: ["x": .int(index)])
            }
            for await change in changes where change.scopes.contains("b") { break }
            try require("the epoch", try other.epoch, equals: epoch)
        },
        StoreRequirement("tells of a change only when it can be read") { trial in
            let store = try trial.openAgain()
            let changes = store.changes()
            let reader = Task {
                var last = 0
                for await _ in changes {
                    let value = try store.record("a")?.values["x"]?.intValue ?? -1
                    let message = "the value that is read when told must be at least \(last), and is \(value)"
                    try require(value >= last, message)
                    last = value
                    if value == 200 { return }
                }
            }
            for value in 1...200 { try await trial.put("a", ["x": .int(value)]) }
            try await reader.value
        },
        StoreRequirement("tells nobody of a body that threw") { trial in
            var changes = trial.store.changes().makeAsyncIterator()
            _ = try? await trial.store.transact { transaction in
                try transaction.put("a", ["x": 1])
                throw StoreTrial.Refused()
            }
            try await trial.put("b", ["x": 1])
            try require("the first scopes that are told", await changes.next()?.scopes, equals: ["b"])
        },
        StoreRequirement("lets a model follow what another model stores through another door") { trial in
            let key = SettingsKey("level", default: 0)
            let schema = SettingsSchema(key)
            let one = SettingsStorage(scope: "m", schema: schema, store: trial.store)
            let two = SettingsStorage(scope: "m", schema: schema, store: try trial.openAgain())
            let reader = Task {
                for await level in two.changes(of: key) where level == 100 { return }
            }
            for level in 1...100 { one[key] = level }
            try await one.commit()
            await reader.value
            try require("the value of the other model", two[key], equals: 100)
        },
    ]
}
