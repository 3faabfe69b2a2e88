import CameraProtocols
import Cameras
import Logging
import PrinterReport
import Printers
import StoredSettings

/// Asks a printer whose camera fails what it knows, for a person at the command line.
struct PrinterWitness: Sendable {
    let trust: PrinterTrust
    let ledger: LinkLedger
    let logger: Logger

    /// What the printer says of its camera; nil where it has nothing to add, cannot be asked, or was asked too often.
    ///
    /// A printer is not asked again within five minutes: the report is kept. One whose report the bridge follows is not asked
    /// at all: that would take a second place for clients.
    func verdict(of printer: Printer, after reason: ProbeReason?) async -> WitnessVerdict? {
        guard let reason, !reason.needsNoWitness, !printer.committed.hasCameraURL,
            let target = LinkTarget(printer.committed, camera: printer.camera, rule: trust)
        else { return nil }
        if let kept = ledger.report(of: target.serial) {
            let camera = PrintState(kept.report, on: target.family).camera
            return .decide(probe: reason, report: .success(camera), family: target.family)
        }
        var schedule = WitnessSchedule()
        guard !printer.committed.telemetry, ledger.begin(target.serial, &schedule)
        else { return nil }
        let report = await Witness(ledger, logger: logger).ask(target)
        return .decide(probe: reason, report: report, family: target.family)
    }
}

extension AppContext {
    /// What the bridge and all commands share about printers' own MQTT.
    var ledger: LinkLedger { LinkLedger(folder: RuntimeDirectory.path(beside: state)) }

    var witness: PrinterWitness { PrinterWitness(trust: trust, ledger: ledger, logger: logger) }
}
