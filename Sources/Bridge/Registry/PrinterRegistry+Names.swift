import Foundation
import StoredSettings

/// Printers that go, and printers that get another name.
extension PrinterRegistry {
    /// Forgets a printer and its settings.
    ///
    /// - Returns: Whether there was one.
    public func remove(_ id: PrinterID) async throws -> Bool {
        let scope = PrinterSettings.scope(of: id)
        let time = now()
        let existed = try await store.transact { transaction in
            guard try transaction.record(scope) != nil else { return false }
            // A retained command that the broker keeps must not bring the printer back.
            try transaction.keep(try transaction.handledCommands(of: id), of: id, at: time)
            try transaction.remove(scope)
            try transaction.remove(CameraRecord.scope(of: id))
            return true
        }
        await refresh([scope])
        return existed
    }

    /// Gives a printer another name; its settings, their revision and its certificate's pin stay.
    ///
    /// - Throws: ``Settings/SettingsError`` with the code `notFound` when there is no such printer, `exists` when there is
    ///   one of the new name.
    public func rename(_ id: PrinterID, to name: PrinterID) async throws {
        let (scope, newScope) = (PrinterSettings.scope(of: id), PrinterSettings.scope(of: name))
        let time = now()
        try await store.transact { transaction in
            let author = ConfigSource.local.rawValue
            try transaction.keep(try transaction.handledCommands(of: id), of: id, at: time)
            try transaction.rename(scope, to: newScope, by: author, at: time)
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
        await refresh([scope, newScope])
    }
}
