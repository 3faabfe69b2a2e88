import Foundation
import StoredSettings

/// What is kept of a printer beside its settings.
extension SettingsTransaction {
    /// Keeps what is known of a printer's camera; nil forgets it.
    mutating func remember(_ camera: CameraRecord?, of id: PrinterID, at time: Date) throws {
        let scope = CameraRecord.scope(of: id)
        guard let camera else { return try remove(scope) }
        try update(scope, camera.values, by: ConfigSource.local.rawValue, at: time)
    }
}
