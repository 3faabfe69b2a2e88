import Foundation
package import StoredSettings

/// The settings of printers that the configuration file gives.
///
/// A value is applied when it differs from the one that the file gave last time, so that the file sets printers up, and
/// never undoes what was changed since. It is also applied in place of a damaged secret.
package struct FileSettings: Sendable {
    private static let prefix = "file/"

    private let printers: [PrinterID: [String: JSONValue]]

    /// The printers of the file, with valid settings.
    package init(_ printers: [PrinterID: [String: JSONValue]]) { self.printers = printers }

    /// Applies the values that the file did not give last time, for some of its printers; returns those that changed.
    ///
    /// Throws ``StoredSettings/ValidationErrors`` if a setting is not valid.
    func apply(
        to ids: some Sequence<PrinterID>,
        with applier: ConfigApplier,
        at time: Date,
        in transaction: inout SettingsTransaction
    ) throws -> [PrinterID] {
        var outcomes: [ConfigApplier.Outcome] = []
        for id in ids {
            let settings = printers[id] ?? [:]
            let memory = Self.prefix + id.description
            let known = try transaction.record(memory)
            let before = known?.values
            let damaged = try transaction.record(PrinterSettings.scope(of: id))?.damaged ?? [:]
            let news = settings.filter { key, value in
                // If the record of the last value is damaged, it is unknown whether the file changed: keep the setting.
                damaged[key] != nil || (before?[key] != value && known?.damaged[key] == nil)
            }
            // A printer that was removed over MQTT stays removed until its settings in the file change.
            if before == nil || !news.isEmpty {
                let isNew = try transaction.record(PrinterSettings.scope(of: id)) == nil
                let message = ConfigMessage(
                    printer: id,
                    patch: isNew ? settings : news,
                    at: "printers.\(id).",
                    source: .file
                )
                outcomes.append(try applier.apply(message, at: time, in: &transaction))
            }
            var changes: [String: JSONValue?] = (before ?? [:]).mapValues { _ in nil }
            for key in known?.damaged.keys ?? [:].keys { changes.updateValue(nil, forKey: key) }
            for (key, value) in settings { changes.updateValue(value, forKey: key) }
            try transaction.update(memory, changes, by: ConfigSource.file.rawValue, at: time)
        }
        let faults = outcomes.flatMap { $0.result?.errors ?? [] }
        if !faults.isEmpty { throw ValidationErrors(faults) }
        return outcomes.filter { $0.result?.status == .applied }.map(\.message.printer)
    }

    /// Forgets at most `limit` printers that the file no longer names; returns whether more are left.
    func forgetOthers(limit: Int, in transaction: inout SettingsTransaction) throws -> Bool {
        let gone = try transaction.scopes(prefix: Self.prefix).filter { scope in
            PrinterID(scope.dropFirst(Self.prefix.count)).map { printers[$0] == nil } ?? true
        }
        for scope in gone.prefix(limit) { try transaction.remove(scope) }
        return gone.count > limit
    }

    var ids: [PrinterID] { printers.keys.sorted() }
}
