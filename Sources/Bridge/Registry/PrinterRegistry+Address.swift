import Foundation
import StoredSettings

/// Printers that were heard at another address.
extension PrinterRegistry {
    /// Tells people that a printer was heard at another address, or, with nil, that it is back where it was.
    func propose(_ announced: AnnouncedAddress?, for id: PrinterID) -> [PrinterEvent] {
        guard let old = self[id], old.announcedAddress != announced else { return [] }
        show(id) { $0.announcedAddress = announced }
        return announced.map { [PrinterEvent(.addressChanged, of: id, at: now(), address: $0)] } ?? []
    }

    /// Takes over the address that a printer was heard at, and the trust in its certificate with it, in one commit.
    func follow(_ address: String, of id: PrinterID) async throws -> [PrinterEvent] {
        let patch = [PrinterSettings.keys.printerIP.name: SettingValue.string(address)]
        let message = ConfigMessage(printer: id, patch: patch, source: .announcement)
        let (scope, time) = (PrinterSettings.scope(of: id), now())
        let isApplied = try await store.transact { [applier, camera = self[id]?.camera] transaction in
            guard try transaction.record(scope) != nil else { return false }
            let outcome = try applier.apply(message, at: time, in: &transaction)
            guard outcome.result?.status == .applied, let values = try transaction.record(scope)?.values else {
                return false
            }
            var camera = camera
            if let endpoint = PrinterConfiguration(values: values).endpointURL?.endpoint { camera?.endpoint = endpoint }
            try transaction.remember(camera, of: id, at: time)
            return true
        }
        await refresh([scope])
        return isApplied
            ? [PrinterEvent(.addressChanged, of: id, at: time, address: AnnouncedAddress(address, .proven))] : []
    }
}
