/// What a transaction sees of a store and of the environment over it.
struct OverlaidReader: SettingsReader {
    let base: SettingsTransaction
    let overlay: EnvironmentOverlay

    var epoch: String { base.epoch }

    func scopes(prefix: String) throws -> [String] {
        Self.merged(try base.scopes(prefix: prefix), overlay, prefix: prefix)
    }

    func record(_ scope: String) throws -> SettingsRecord? {
        try overlay.seen(try base.record(scope), in: scope, removedRevision: try base.removedRevision(scope))
    }

    func removedRevision(_ scope: String) throws -> Int { try base.removedRevision(scope) }

    /// The scopes that are stored and those that only the environment knows, sorted.
    static func merged(_ stored: [String], _ overlay: EnvironmentOverlay, prefix: String) -> [String] {
        let given = overlay.scopes.keys.filter { $0.hasPrefix(prefix) }
        return given.isEmpty ? stored : Set(stored).union(given).sorted()
    }
}
