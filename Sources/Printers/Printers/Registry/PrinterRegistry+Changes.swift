import Foundation
import Platform
package import StoredSettings

extension PrinterRegistry {
    /// Sets printers up as the configuration file says; returns those whose settings changed.
    ///
    /// Throws ``StoredSettings/SettingsError`` if the store fails, ``StoredSettings/ValidationErrors`` if a setting is not valid.
    @discardableResult
    package func apply(_ file: FileSettings) async throws -> Set<PrinterID> {
        var changed: Set<PrinterID> = []
        for ids in file.ids.chunks(of: commitLimit) {
            let some = try await store.transact { [applier, time = now()] in
                try file.apply(to: ids, with: applier, at: time, in: &$0)
            }
            changed.formUnion(some)
        }
        while try await store.transact({ [commitLimit] in try file.forgetOthers(limit: commitLimit, in: &$0) }) {}
        catchUp()
        return changed
    }

    /// Throws what ``apply(_:)`` would throw for the settings that are stored now, and stores nothing.
    package nonisolated func check(_ file: FileSettings) throws {
        try store.read {
            var transaction = SettingsTransaction(over: $0)
            _ = try file.apply(to: file.ids, with: applier, at: now(), in: &transaction)
        }
    }

    /// Changes one printer, or creates it, by the same decision as a message; null sets a setting back to its default.
    package func change(_ id: PrinterID, _ patch: [String: JSONValue], source: ConfigSource) async -> ConfigResult? {
        await apply([ConfigMessage(printer: id, patch: patch, source: source)]).first?.result
    }

    /// Creates a printer; one that exists stays as it is, and the answer is `conflict`.
    package func add(
        _ id: PrinterID,
        _ patch: [String: JSONValue],
        at path: String = "",
        source: ConfigSource
    ) async -> ConfigResult? {
        let message = ConfigMessage(printer: id, patch: patch, baseRevision: 0, at: path, source: source)
        return await apply([message]).first?.result
    }

    package func remove(_ id: PrinterID) async throws -> Bool {
        let scope = PrinterSettings.scope(of: id)
        let existed = try await store.transact { transaction in
            guard try transaction.record(scope) != nil else { return false }
            // Keep the handled messages: a retained command at the broker must not bring the printer back.
            try transaction.remove(scope)
            try transaction.remove(CameraRecord.scope(of: id))
            return true
        }
        catchUp()
        return existed
    }

    /// Gives a printer another name; its settings, their revision and its certificate's pin stay.
    ///
    /// Throws ``StoredSettings/SettingsError``: `notFound` if there is no such printer, `exists` if there is one of the new name.
    package func rename(_ id: PrinterID, to name: PrinterID, by source: ConfigSource = .local) async throws {
        let (scope, newScope) = (PrinterSettings.scope(of: id), PrinterSettings.scope(of: name))
        let time = now()
        try await store.transact { transaction in
            let author = source.rawValue
            try transaction.rename(scope, to: newScope, by: author, at: time)
            try transaction.copyHandledCommands(of: id, to: name)
            try transaction.remove(CameraRecord.scope(of: name))
            if try transaction.record(CameraRecord.scope(of: id)) != nil {
                try transaction.rename(
                    CameraRecord.scope(of: id),
                    to: CameraRecord.scope(of: name),
                    by: author,
                    at: time
                )
            }
        }
        catchUp()
    }
}
