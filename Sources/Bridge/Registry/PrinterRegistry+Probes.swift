import Foundation
import RTSP
import StoredSettings

/// What probes found out.
extension PrinterRegistry {
    /// Keeps what a probe found out about a printer's camera; it is dropped when the printer was removed, or its
    /// endpoint has changed, meanwhile.
    func remember(_ camera: CameraRecord?, of id: PrinterID, target: ProbeTarget?) async throws {
        guard let printer = self[id], printer.camera != camera else { return }
        let time = now()
        let isKept = try await store.transact { transaction in
            guard let values = try transaction.record(PrinterSettings.scope(of: id))?.values,
                ProbeTarget(PrinterConfiguration(values: values)) == target
            else { return false }
            try transaction.remember(camera, of: id, at: time)
            return true
        }
        guard isKept else { return }
        settleRead(of: id)
        show(id) { $0.camera = camera }
    }

    /// Takes in what a probe saw; it is dropped when the printer's endpoint has changed meanwhile.
    func take(_ report: ProbeReport, of id: PrinterID, target: ProbeTarget, validity: Duration) -> [PrinterEvent] {
        guard let before = self[id], ProbeTarget(before.configuration) == target else { return [] }
        let time = now()
        var events: [PrinterEvent.Kind] = []
        show(id) { printer in
            events = printer.stream.take(report, at: time, validity: validity, trust: target.trust)
            logger.log(printer, before: before.stream)
        }
        return events.map { PrinterEvent($0, of: id, at: time) }
    }
}
