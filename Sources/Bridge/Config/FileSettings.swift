public import Foundation
public import Settings

/// The settings of printers that the configuration file gives.
///
/// A value is applied when it differs from the one that the file gave last time, so that the file sets printers up, and
/// never undoes what was changed since.
public struct FileSettings: Sendable {
    private static let prefix = "file/"

    private let printers: [PrinterID: [String: StoredValue]]

    /// Takes the printers of the file, with valid settings.
    public init(_ printers: [PrinterID: [String: StoredValue]]) { self.printers = printers }

    /// Applies what the file says now and did not say last time.
    ///
    /// - Parameters:
    ///   - store: Where settings last.
    ///   - time: The time of the changes.
    ///   - limit: How many printers one transaction may change.
    /// - Returns: The printers whose settings changed.
    /// - Throws: What the store throws.
    @discardableResult
    public func apply(
        to store: any SettingsStore,
        at time: Date = Date(),
        limit: Int = .max
    ) async throws -> Set<PrinterID> {
        var changed: Set<PrinterID> = []
        var left = printers.sorted { $0.key < $1.key }[...]
        while !left.isEmpty {
            let some = Dictionary(uniqueKeysWithValues: left.prefix(limit).map { ($0.key, $0.value) })
            changed.formUnion(try await apply(some, to: store, at: time))
            left = left.dropFirst(some.count)
        }
        try await store.transact { transaction in
            let gone = try transaction.scopes(prefix: Self.prefix).filter { scope in
                PrinterID(scope.dropFirst(Self.prefix.count)).map { printers[$0] == nil } ?? true
            }
            for scope in gone.prefix(limit) { try transaction.remove(scope) }
        }
        return changed
    }

    private func apply(
        _ printers: [PrinterID: [String: StoredValue]],
        to store: any SettingsStore,
        at time: Date
    ) async throws -> Set<PrinterID> {
        try await store.transact { transaction in
            var changed: Set<PrinterID> = []
            let author = ConfigSource.file.rawValue
            for (id, settings) in printers {
                let scope = PrinterSettings.scope(of: id)
                let said = try transaction.record(Self.prefix + id.description)?.values
                let news = settings.filter { said?[$0.key] != $0.value }
                // A printer that was removed over MQTT stays removed until the file says something new of it.
                if said == nil || !news.isEmpty {
                    let before = try transaction.record(scope)
                    let values = before == nil ? settings : news
                    let after = try transaction.update(scope, values.mapValues(Optional.some), by: author, at: time)
                    if after.revision != before?.revision { changed.insert(id) }
                }
                var memory: [String: StoredValue?] = (said ?? [:]).mapValues { _ in nil }
                for (key, value) in settings { memory.updateValue(value, forKey: key) }
                _ = try transaction.update(Self.prefix + id.description, memory, by: author, at: time)
            }
            return changed
        }
    }
}
