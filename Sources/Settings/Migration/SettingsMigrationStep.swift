#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One step of a migration.
///
/// Steps hand secrets on as they are: sealed values are moved without being revealed, unless a step of the program does so.
public struct SettingsMigrationStep: Sendable {
    /// What it runs for.
    struct Context {
        let prefix: String
        let version: Int
        let author: String
        let date: Date
    }

    private enum Work: Sendable {
        case values(@Sendable (_ scope: String, _ values: inout [String: StoredValue]) throws -> Void)
        case transaction(@Sendable (inout SettingsTransaction) throws -> Void)
    }

    /// What it is called in errors: 'rename ip to printer_ip'.
    public let name: String
    /// The key that it is about, if it is about one.
    public let key: String?
    /// The keys whose values it reads.
    private let sources: [String]
    private let work: Work

    private init(_ name: String, key: String? = nil, sources: [String] = [], _ work: Work) {
        self.name = name
        self.key = key
        self.sources = sources
        self.work = work
    }

    /// A step of the program's own, done for each scope.
    ///
    /// - Parameters:
    ///   - name: What it is called in errors.
    ///   - body: Changes the values of a scope; what it throws must not hold a secret.
    /// - Returns: The step.
    public static func each(
        _ name: String,
        _ body: @escaping @Sendable (_ scope: String, _ values: inout [String: StoredValue]) throws -> Void
    ) -> Self {
        Self(name, .values(body))
    }

    /// A step of the program's own over all of the store, such as one that renames, joins or splits scopes.
    ///
    /// - Parameters:
    ///   - name: What it is called in errors.
    ///   - body: Changes the store; what it throws must not hold a secret.
    /// - Returns: The step.
    public static func whole(
        _ name: String,
        _ body: @escaping @Sendable (inout SettingsTransaction) throws -> Void
    ) -> Self {
        Self(name, .transaction(body))
    }

    /// A step about one key, done for each scope.
    static func about(
        _ key: String,
        readingFrom sources: [String]? = nil,
        _ name: String,
        _ body: @escaping @Sendable (inout [String: StoredValue]) throws -> Void
    ) -> Self {
        Self(name, key: key, sources: sources ?? [key], .values { _, values in try body(&values) })
    }

    func run(in transaction: inout SettingsTransaction, context: Context) throws {
        switch work {
        case .transaction(let body):
            try explain(context, scope: nil, isSecret: false) { try body(&transaction) }
        case .values(let body):
            for scope in try transaction.scopes(prefix: context.prefix) where !scope.isReservedScope {
                guard let old = try transaction.record(scope)?.values else { continue }
                let isSecret = sources.contains { if case .secret = old[$0] { true } else { false } }
                try explain(context, scope: scope, isSecret: isSecret) {
                    var new = old
                    try body(scope, &new)
                    try transaction.update(scope, old.changes(to: new), by: context.author, at: context.date)
                }
            }
        }
    }

    private func explain(_ context: Context, scope: String?, isSecret: Bool, _ body: () throws -> Void) throws {
        do { try body() } catch {
            throw SettingsMigrationError(
                version: context.version,
                step: name,
                scope: scope,
                key: key,
                reason: isSecret && !(error is SettingsError) ? nil : "\(error)"
            )
        }
    }
}

extension [String: StoredValue] {
    /// What turns these values into others.
    fileprivate func changes(to new: Self) -> [String: StoredValue?] {
        var changes: [String: StoredValue?] = [:]
        for key in keys where new[key] == nil { changes.updateValue(nil, forKey: key) }
        for (key, value) in new where !value.isIdentical(to: self[key]) { changes.updateValue(value, forKey: key) }
        return changes
    }
}
