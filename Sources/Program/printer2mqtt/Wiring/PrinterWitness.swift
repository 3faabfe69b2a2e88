import Logging
import PrinterLink
import Printers
import Probing
import RTSP

/// Asks a printer whose camera fails what it knows, for a person at the command line.
struct PrinterWitness: Sendable {
    let trust: PrinterTrust
    let log: WitnessLog
    let logger: Logger

    /// What the printer says of its camera; nil where it has nothing to add, cannot be asked, or was asked too often.
    ///
    /// A printer whose report the bridge follows is not asked: that would take a second place for clients.
    func verdict(of printer: Printer, after reason: ProbeReason?) async -> WitnessVerdict? {
        guard let reason, !reason.needsNoWitness, !printer.configuration.hasCameraURL,
            !printer.configuration[PrinterSettings.keys.telemetry],
            let target = LinkTarget(printer.configuration, camera: printer.camera, rule: trust)
        else { return nil }
        var schedule = WitnessSchedule()
        guard log.begin(target.serial, &schedule) else { return nil }
        let word = await Witness(logger: logger).ask(target)
        return .decide(probe: reason, word: word, family: target.family)
    }
}

extension AppContext {
    /// When printers were asked why their cameras fail, with one limit for the bridge and all commands.
    var witnesses: WitnessLog { WitnessLog(file: RuntimeDirectory.path(beside: state).map { $0 + "/witnesses" }) }

    var witness: PrinterWitness { PrinterWitness(trust: trust, log: witnesses, logger: logger) }
}
