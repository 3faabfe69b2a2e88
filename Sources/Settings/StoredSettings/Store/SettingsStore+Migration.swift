import Platform

extension SettingsStore {
    /// Brings stored settings to the version that the program knows; does nothing, and writes nothing, when they are.
    ///
    /// ```swift
    /// try await store.migrate(scopes: "printer/", to: 2) { values, version in
    ///     if version < 1 { values["printer_ip"] = values.removeValue(forKey: "ip") }
    ///     if version < 2, let minutes = values["interval"]?.intValue { values["interval"] = .int(minutes * 60) }
    /// }
    /// ```
    /// Call it before models are made over the store. All scopes and the mark of their version change in one transaction, or
    /// nothing does. Of several programs that migrate at once one does it. Settings that were never stored begin at the newest
    /// version.
    ///
    /// - Parameters:
    ///   - prefix: What the names of the scopes begin with; empty for all scopes of the store.
    ///   - newest: The version that the program knows, from 1.
    ///   - body: Changes the values of one scope from the version that it is given; must stay the same once published.
    /// - Returns: The version that was found; nil when nothing was stored.
    /// - Throws: ``SettingsError/Code/newerSchema`` when a later version of the program stored the settings; what `body` or
    ///   the store throws.
    @discardableResult
    public func migrate(
        scopes prefix: String = "",
        to newest: Int,
        _ body: @escaping @Sendable (_ values: inout [String: SettingValue], _ version: Int) throws -> Void
    ) async throws -> Int? {
        let key = "version:" + prefix
        if try record(String.migrationScope)?.values[key]?.intValue == newest { return newest }
        return try await transact { transaction in
            let scopes = try transaction.scopes(prefix: prefix).filter { !$0.isReservedScope }
            let mark = try transaction.record(.migrationScope)?.values[key]?.intValue
            let found = mark ?? (scopes.isEmpty ? nil : 0)
            if let found, found > newest {
                let reason = "the stored settings have version \(found), and this program knows none above \(newest)"
                let advice = "use the program that stored them, or restore a copy of the store from before"
                throw SettingsError(.newerSchema, "\(reason): \(advice)")
            }
            if let found, found < newest {
                for scope in scopes {
                    guard let old = try transaction.record(scope)?.values else { continue }
                    var new = old
                    try body(&new, found)
                    var changes: [String: SettingValue?] = new.mapValues(Optional.some)
                    for name in old.keys where new[name] == nil { changes.updateValue(nil, forKey: name) }
                    try transaction.update(scope, changes, by: "migration", at: .now)
                }
            }
            try transaction.update(.migrationScope, [key: .int(newest)], by: "migration", at: .now)
            return found
        }
    }
}

extension String {
    fileprivate static var migrationScope: String { ".migrations" }

    static var markScopePrefix: String { ".sync/" }

    /// Whether the library keeps this scope for itself.
    fileprivate var isReservedScope: Bool { self == .migrationScope || hasPrefix(String.markScopePrefix) }
}
