import Foundation
public import Settings

/// The settings of printers that the configuration file gives.
///
/// A value is applied when it differs from the one that the file gave last time, so that the file sets printers up, and
/// never undoes what was changed since.
public struct FileSettings: Sendable {
    private static let prefix = "file/"

    private let printers: [PrinterID: [String: SettingValue]]

    /// Takes the printers of the file, with valid settings.
    public init(_ printers: [PrinterID: [String: SettingValue]]) { self.printers = printers }

    /// Applies what the file says now and did not say last time.
    ///
    /// - Returns: The answers for printers of which the file says something new.
    func apply(
        with applier: ConfigApplier,
        at time: Date,
        in transaction: inout SettingsTransaction
    ) throws -> [ConfigApplier.Outcome] {
        var outcomes: [ConfigApplier.Outcome] = []
        for (id, settings) in printers.sorted(by: { $0.key < $1.key }) {
            let memory = Self.prefix + id.description
            let before = try transaction.record(memory)?.values
            let news = settings.filter { before?[$0.key] != $0.value }
            // A printer that was removed over MQTT stays removed until the file says something new of it.
            if before == nil || !news.isEmpty {
                let isNew = try transaction.record(PrinterSettings.scope(of: id)) == nil
                let message = ConfigMessage(printer: id, patch: isNew ? settings : news, source: .file)
                outcomes.append(try applier.apply(message, at: time, in: &transaction))
            }
            var changes: [String: SettingValue?] = (before ?? [:]).mapValues { _ in nil }
            for (key, value) in settings { changes.updateValue(value, forKey: key) }
            try transaction.update(memory, changes, by: ConfigSource.file.rawValue, at: time)
        }
        let gone = try transaction.scopes(prefix: Self.prefix).filter { scope in
            PrinterID(scope.dropFirst(Self.prefix.count)).map { printers[$0] == nil } ?? true
        }
        for scope in gone { try transaction.remove(scope) }
        return outcomes
    }
}

extension PrinterRegistry {
    /// Sets printers up as the configuration file says.
    ///
    /// - Returns: The printers whose settings changed.
    /// - Throws: ``Settings/SettingsError`` if the store fails, ``Settings/ValidationErrors`` if a setting is not valid; then nothing
    ///   of the file is applied.
    @discardableResult
    public func apply(_ file: FileSettings) async throws -> Set<PrinterID> {
        let outcomes = try await store.transact { [applier, time = now()] transaction in
            let outcomes = try file.apply(with: applier, at: time, in: &transaction)
            let faults = outcomes.flatMap { outcome in
                (outcome.result?.errors ?? []).map {
                    ValidationError(
                        path: "printers.\(outcome.message.printer).\($0.path)",
                        code: $0.code,
                        message: $0.message
                    )
                }
            }
            if !faults.isEmpty { throw ValidationErrors(faults) }
            return outcomes
        }
        let changed = Set(outcomes.filter { $0.result?.status == .applied }.map(\.message.printer))
        await refresh(Set(changed.map(PrinterSettings.scope(of:))))
        return changed
    }
}
