import StoredSettings

extension StoreRequirement {
    static let scopes = [
        StoreRequirement("lists scopes by prefix, which is no pattern") { trial in
            let store = trial.store
            for scope in ["p/b", "p/a", "q/a", "p", "p%", "p_", "p*", "P/a", "é/1"] {
                try await trial.put(scope, ["x": 1])
            }
            let expected: KeyValuePairs = [
                "p/": ["p/a", "p/b"], "p%": ["p%"], "p_": ["p_"], "p*": ["p*"], "é": ["é/1"], "p/a/": [],
                "": ["P/a", "p", "p%", "p*", "p/a", "p/b", "p_", "q/a", "é/1"],
            ]
            for (prefix, scopes) in expected {
                try require("the scopes with prefix ‘\(prefix)’", try store.scopes(prefix: prefix), equals: scopes)
                let inside = try await store.transact { try $0.scopes(prefix: prefix) }
                try require("the scopes with prefix ‘\(prefix)’ in a transaction", inside, equals: scopes)
                let keys = try store.records(prefix: prefix).keys.sorted()
                try require("the scopes of the records with prefix ‘\(prefix)’", keys, equals: scopes)
            }
        },
        StoreRequirement("never lets a revision go back, whatever is removed, renamed and made again") { trial in
            var last = ["a": 0, "b": 0]
            func requireGrowth(of scope: String, to revision: Int, by what: String) throws {
                let message =
                    "the revision of \(scope) must grow above \(last[scope] ?? 0) by \(what), and is \(revision)"
                try require(revision > last[scope] ?? 0, message)
                last[scope] = revision
            }
            for round in 0..<30 {
                let (scope, other) = round % 2 == 0 ? ("a", "b") : ("b", "a")
                let record = { try trial.store.record(scope) }
                switch round % 5 {
                case 0, 1, 2:
                    let record = try await trial.put(scope, ["x": .int(round)])
                    try requireGrowth(of: scope, to: record.revision, by: "an update")
                case 3:
                    try await trial.store.transact { try $0.remove(scope) }
                    try require("the record of \(scope) after it was removed", try record(), equals: nil)
                default:
                    let renamed = try? await trial.store.transact { try $0.rename(scope, to: other) }
                    guard let renamed else { continue }
                    try requireGrowth(of: other, to: renamed.revision, by: "a rename")
                    try require("the record of \(scope) after its rename", try record(), equals: nil)
                    let again = try trial.openAgain().record(other)
                    try require("the record of \(other), opened again", again, equals: renamed)
                }
            }
        },
        StoreRequirement("keeps the revision of a removed scope when it is opened again") { trial in
            for value in 1...3 { try await trial.put("a", ["x": .int(value)]) }
            try await trial.store.transact { try $0.remove("a") }
            let record = try await trial.put("a", ["x": 1], through: try trial.openAgain())
            try require("the revision of a scope that was made again", record.revision, equals: 4)
        },
        StoreRequirement("starts empty what is removed and made again in one transaction") { trial in
            try await trial.put("a", ["x": 1, "y": 2])
            try await trial.store.transact { transaction in
                try transaction.remove("a")
                try transaction.put("a", ["z": 3])
            }
            try trial.require("a", holds: ["z": 3], when: "after it was made again")
            try require("the revision", try trial.openAgain().record("a")?.revision, equals: 2)
        },
        StoreRequirement("stores nothing of what is made and removed in one transaction") { trial in
            try await trial.store.transact { transaction in
                try transaction.put("new", ["z": 3])
                try transaction.remove("new")
            }
            try require("the record", try trial.store.record("new"), equals: nil)
            try require("the list of scopes", try trial.openAgain().scopes(prefix: ""), equals: [])
        },
        StoreRequirement("takes two spellings of one text, such as é and e with an accent, as one name") { trial in
            let spellings = ["caf\u{E9}", "cafe\u{301}"]
            let secret: JSONValue = trial.kind.storesSecrets ? .secret("s3cret") : "plain"
            for (round, (one, other)) in zip(spellings, spellings.reversed()).enumerated() {
                try await trial.put(one, [one: 1, "x": 1, "code \(one)": secret])
                let expected: [String: JSONValue] = [other: .int(round), "code \(other)": secret]
                try await trial.put(other, [other: .int(round), "x": nil])
                for store in [trial.store, try trial.openAgain()] {
                    for name in spellings {
                        try require("what is stored for \(name)", try store.record(name)?.values, equals: expected)
                        let inside = try await store.transact { try $0.record(name)?.values }
                        try require("what a transaction reads for \(name)", inside, equals: expected)
                    }
                    try require("the list of scopes", try store.scopes(prefix: ""), equals: [one])
                    try require("the scopes with a prefix", try store.scopes(prefix: other), equals: [one])
                    try require("the records", try store.records(prefix: "").map(\.value.values), equals: [expected])
                }
                let revision = try trial.store.record(one)?.revision
                try await trial.store.transact { try $0.remove(other) }
                try require("the record of \(one) after it was removed", try trial.store.record(one), equals: nil)
                try require("the revision before that", revision, equals: 2 * round + 2)
            }
        },
    ]
}
