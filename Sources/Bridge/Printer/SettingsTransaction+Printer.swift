import Foundation
import Settings

/// What is kept of a printer beside its settings.
extension SettingsTransaction {
    /// Keeps what is known of a printer's camera; nil forgets it.
    mutating func remember(_ camera: KnownCamera?, of id: PrinterID, at time: Date) throws {
        let scope = KnownCamera.scope(of: id)
        guard let camera else { return try remove(scope) }
        try update(scope, camera.values, by: ConfigSource.local.rawValue, at: time)
    }

    /// Keeps the marks of a printer's messages, so that a wish still on the broker does not bring the printer back.
    mutating func rememberRemoved(_ marks: [String], of id: PrinterID, at time: Date) throws {
        let scope = PrinterSettings.removedScope(of: id)
        for mark in marks {
            try update(scope, [:], by: ConfigSource.local.rawValue, at: time, applied: mark)
        }
    }
}
