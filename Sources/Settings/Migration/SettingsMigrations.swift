#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All changes that the stored form of some settings went through, declared in one place.
///
/// ```swift
/// static let migrations = SettingsMigrations(
///     scopes: "printer/",
///     .version(1, .rename("ip", to: "printer_ip"), .remove("legacy_mode")),
///     .version(2, .transform("interval") { $0.intValue.map { .int($0 * 60) } })
/// )
///
/// try await Self.migrations.run(on: store)
/// ```
/// All scopes that begin with a prefix and the mark of their version change in one transaction: when a step fails, or the
/// program ends, everything is as it was. Keys that no step names stay as they are. Of several programs that migrate at once
/// one does it, and the others find it done.
public struct SettingsMigrations: Sendable {
    /// What the names of the scopes begin with.
    public let prefix: String
    /// The versions, oldest first.
    public let versions: [SettingsMigrationVersion]
    /// The version of settings that are stored and were never marked.
    public let unmarkedVersion: Int

    /// Declares the versions of all scopes that begin with a prefix.
    ///
    /// - Parameters:
    ///   - prefix: What the names of the scopes begin with; empty for all scopes of the store.
    ///   - unmarkedVersion: The version of settings that are stored and were never marked.
    ///   - versions: The versions after the first, in ascending order; what was published once must not be changed.
    /// - Precondition: The versions ascend, and are above 0.
    public init(scopes prefix: String = "", unmarked unmarkedVersion: Int = 0, _ versions: SettingsMigrationVersion...)
    {
        precondition(
            zip([0] + versions.map(\.number), versions.map(\.number)).allSatisfy(<),
            "the versions of settings must ascend from 1"
        )
        self.prefix = prefix
        self.versions = versions
        self.unmarkedVersion = unmarkedVersion
    }

    /// The version after all migrations.
    public var newestVersion: Int { max(versions.last?.number ?? 0, unmarkedVersion) }

    /// Brings what is stored to the newest version; does nothing, and writes nothing, when it is.
    ///
    /// To be called before models are made over the store. Settings that were never stored begin at the newest version.
    ///
    /// - Parameters:
    ///   - store: Where the settings are.
    ///   - author: Who is said to have changed what is changed.
    /// - Returns: What was done.
    /// - Throws: ``SettingsMigrationError`` when a step fails; ``SettingsError`` with the code
    ///   ``SettingsError/Code/newerSchema`` when a later version of the program has stored the settings, or with what the
    ///   store says.
    @discardableResult
    public func run(on store: any SettingsStore, by author: String = "migration") async throws
        -> SettingsMigrationOutcome
    {
        if try mark(in: store.record(Self.markScope)) == newestVersion {
            return SettingsMigrationOutcome(from: newestVersion, to: newestVersion)
        }
        return try await store.transact { transaction in
            try run(in: &transaction, by: author)
        }
    }

    private func run(in transaction: inout SettingsTransaction, by author: String) throws -> SettingsMigrationOutcome {
        let scopes = try transaction.scopes(prefix: prefix).filter { !$0.isReservedScope }
        let mark = mark(in: try transaction.record(Self.markScope))
        let isNew = mark == nil && scopes.isEmpty
        let version = isNew ? newestVersion : mark ?? unmarkedVersion
        guard version <= newestVersion else { throw isNewer(version) }
        let now = Date()
        for migration in versions where migration.number > version {
            for step in migration.steps {
                try step.run(
                    in: &transaction,
                    context: .init(prefix: prefix, version: migration.number, author: author, date: now)
                )
            }
        }
        try transaction.update(Self.markScope, [markKey: .int(newestVersion)], by: author, at: now)
        return SettingsMigrationOutcome(from: isNew ? nil : version, to: newestVersion)
    }

    private func isNewer(_ version: Int) -> SettingsError {
        let whose = prefix.isEmpty ? "the stored settings" : "the stored settings of \(prefix)"
        return SettingsError(
            .newerSchema,
            "\(whose) have version \(version), and this program knows versions up to \(newestVersion): use the program that"
                + " stored them or a later one, or restore a copy of the store from before"
        )
    }
}

extension SettingsMigrations {
    /// Where the versions of all prefixes are marked.
    static let markScope = ".migrations"

    private var markKey: String { "version:" + prefix }

    private func mark(in record: SettingsRecord?) -> Int? { record?.values[markKey]?.intValue }
}

extension String {
    /// Whether it names a scope that the library keeps for itself, beside those of the program.
    var isReservedScope: Bool { self == SettingsMigrations.markScope || hasPrefix(SyncLedger.markScopePrefix) }
}
