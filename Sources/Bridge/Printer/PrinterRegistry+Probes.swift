import Foundation
import RTSP
import Settings

/// What probes found out.
extension PrinterRegistry {
    /// Keeps what a probe found out about a printer's camera, unless the printer was removed meanwhile.
    func remember(_ camera: KnownCamera?, of id: PrinterID) async throws {
        guard let printer = self[id], printer.camera != camera else { return }
        let time = now()
        try await store.transact { transaction in
            guard try transaction.record(PrinterSettings.scope(of: id)) != nil else { return }
            try transaction.remember(camera, of: id, at: time)
        }
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
