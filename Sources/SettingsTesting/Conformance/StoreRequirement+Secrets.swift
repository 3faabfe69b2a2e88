import Settings

extension StoreRequirement {
    /// Secrets come back, or are refused.
    static let secrets = [
        StoreRequirement("keeps secrets as secrets, through removals, renames and doors, or refuses them") { trial in
            guard trial.kind.storesSecrets else { return try await refusal(trial) }
            let values: [String: SettingValue] = ["code": .secret("s3cret-é"), "empty": .secret(""), "x": 1]
            try await trial.put("a", values)
            try require("the values with secrets", try trial.openAgain().record("a")?.values, equals: values)
            try await trial.store.transact { try $0.rename("a", to: "b", by: "test", at: StoreTrial.date) }
            try require("the values after a rename", try trial.openAgain().record("b")?.values, equals: values)
            try await trial.put("b", ["code": "plain", "empty": nil])
            try trial.require(
                "b",
                holds: ["code": "plain", "x": 1],
                when: "after the secrets were replaced and removed"
            )
            try await trial.put("b", ["code": .secret("again")])
            try trial.require("b", holds: ["code": .secret("again"), "x": 1], when: "after a secret was set again")
        }
    ]

    private static func refusal(_ trial: StoreTrial) async throws {
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
