/// Settings of another store, over which those that the environment gives are laid.
///
/// What a variable gives is in force as long as the process runs, and cannot be changed: a transaction that tries throws
/// ``SettingsError/Code/readOnly`` with the name of the variable. Everything else goes through to the store below, where
/// nothing of the environment is ever written.
///
/// The variable of a setting is made of prefix, scope and key, upper-cased, with an underscore for all but letters from A
/// to Z and digits. Texts stay as they are; `true`, `yes`, `on`, `1` and their opposites are truth values; lists and
/// objects are JSON. A secret is also read from the file that the variable with `_FILE` at its end names, and from the
/// credentials that systemd passes (`LoadCredential=LAMP_KITCHEN_TOKEN:…`).
///
/// ```swift
/// // LAMP_KITCHEN_BRIGHTNESS=80 LAMP_KITCHEN_TOKEN_FILE=/run/secrets/token
/// let store = try EnvironmentSettingsStore(over: file, prefix: "LAMP", settings: ["kitchen": LampSettings.schema])
/// ```
public struct EnvironmentSettingsStore: SettingsStore {
    private let base: any SettingsStore
    private let overlay: EnvironmentOverlay

    /// Reads the environment once.
    ///
    /// - Parameters:
    ///   - base: What is stored.
    ///   - prefix: What all variables begin with; may be empty.
    ///   - settings: The settings that variables may give, by scope.
    ///   - environment: The variables; nil for those of the process.
    /// - Throws: ``SettingsError`` that names the variable whose value does not fit its setting, whose file cannot be read,
    ///   or that would stand for two settings.
    public init(
        over base: any SettingsStore,
        prefix: String,
        settings: [String: SettingsSchema],
        environment: [String: String]? = nil
    ) throws {
        self.base = base
        overlay = try EnvironmentOverlay(prefix: prefix, settings: settings, lookup: EnvironmentLookup(environment))
    }

    /// Variables that begin with the prefix and stand for no setting, sorted: most likely misspelt.
    public var unknownVariables: [String] { overlay.unknownVariables }

    /// Identifies the store below.
    public var epoch: String { get throws { try base.epoch } }

    /// The names of all scopes that begin with `prefix`, sorted; also of those that only the environment knows.
    public func scopes(prefix: String) throws -> [String] {
        OverlaidReader.merged(try base.scopes(prefix: prefix), overlay, prefix: prefix)
    }

    /// What is in force for a scope; nil if there is nothing.
    public func record(_ scope: String) throws -> SettingsRecord? {
        overlay.seen(try base.record(scope), in: scope, removedRevision: 0)
    }

    /// All records whose scopes begin with `prefix`, as they were at one moment.
    public func records(prefix: String) throws -> [String: SettingsRecord] {
        overlaid(try base.records(prefix: prefix), on: overlay.scopes.keys.filter { $0.hasPrefix(prefix) })
    }

    /// The records of some scopes as they are at one moment.
    public func records(of scopes: Set<String>) async throws -> [String: SettingsRecord] {
        overlaid(try await base.records(of: scopes), on: scopes.filter { overlay.scopes.keys.contains($0) })
    }

    private func overlaid(
        _ records: [String: SettingsRecord],
        on scopes: some Sequence<String>
    ) -> [String: SettingsRecord] {
        var records = records
        for scope in scopes { records[scope] = overlay.seen(records[scope], in: scope, removedRevision: 0) }
        return records
    }

    /// Runs `body` in a transaction of the store below; it sees the values of the environment, and cannot change them.
    @discardableResult
    public func transact<Result: Sendable>(
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Result
    ) async throws -> Result {
        try await base.transact { [overlay] below in
            var transaction = SettingsTransaction(over: OverlaidReader(base: below, overlay: overlay))
            let result = try body(&transaction)
            let writes = try overlay.stored(transaction.writes) { try below.record($0) }
            try below.take(writes)
            return result
        }
    }

    /// The scopes that are changed in the store below; the environment does not change.
    public func changes(where isWanted: @escaping @Sendable (String) -> Bool) -> AsyncStream<StoreChanges> {
        let changes = base.changes(where: isWanted)
        return AsyncStream(unfolding: {
            var iterator = changes.makeAsyncIterator()
            // The records below lack what the environment gives.
            return await iterator.next().map { StoreChanges($0.scopes) }
        })
    }
}
