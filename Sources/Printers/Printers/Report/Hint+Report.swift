import CameraProtocols
import Foundation
import PrinterReport
import StoredSettings

extension Hint {
    private static let otherPrinter = "Another printer may have this address: check printer_ip, then serial."
    private static let codeRefused =
        "Read the access code from the printer's screen and set it. The bridge tries again when a setting has changed."

    /// What keeps a printer's report away, and what to do; nil if nothing does.
    ///
    /// `probe` is the report of the probe whose certificate a person may accept; nil if there is none.
    static func report(
        _ report: ReportState,
        of settings: PrinterSettings.Snapshot,
        _ context: HintContext,
        acceptable probe: ProbeReport?
    ) -> (message: String, hint: String)? {
        switch (report.status, report.problem) {
        case (_, let problem?): return text(for: problem, context, acceptable: probe)
        case (.yielding, _):
            return (
                "three connections broke within a minute of their start, as when other programs want the same place",
                "The bridge tries again after 30 minutes. Close other programs that read this printer, or set telemetry to false."
            )
        case (.waiting, _):
            return (
                "the whole report has not arrived",
                "Wait: the bridge asks for it at most every five minutes, since that costs the printer much."
            )
        case (.unconfigured, _):
            let keys = PrinterSettings.keys
            let needed = [
                (keys.printerIP.name, settings.printerIP), (keys.serial.name, settings.serial),
                (keys.accessCode.name, settings.accessCode),
            ]
            let missing = needed.filter(\.1.isEmpty).map(\.0)
            let titles = missing.map { "the \(PrinterSettings.title(of: $0).lowercased())" }
            return (
                "\(titles.formatted(.list(type: .and))) \(missing.count == 1 ? "is" : "are") not set",
                "Set \(missing.formatted(.list(type: .and))). Without them no program can read the report."
            )
        case (.connecting, _), (.connected, _), (.lost, _), (.refused, _): return nil
        }
    }

    private static func text(
        for problem: ReportProblem,
        _ context: HintContext,
        acceptable report: ProbeReport?
    ) -> (message: String, hint: String) {
        let family = PrinterFamily(context.model, serial: context.serial)
        return switch problem {
        case .unreachable:
            (
                "nothing answers on port 8883",
                "Check that the printer is switched on, and printer_ip."
                    + (family == nil || family == .a ? " An A1 opens the port only in LAN Only mode." : "")
            )
        case .tlsFailed:
            ("the TLS handshake failed", "Check printer_ip, and telemetry_host: the proxy must pass TLS through.")
        case .serverUnproven:
            (
                "nothing proves that the server is the printer, so the access code was not sent",
                report.map { wayToProof($0, context) } ?? wayToAcceptance(context)
            )
        case .otherPrinter:
            ("the certificate is another printer's, so the access code was not sent", otherPrinter)
        case .codeRefused:
            ("the printer refuses the access code", codeRefused)
        case .closed:
            (
                "the printer accepts no further client",
                "Close other programs that read this printer (Bambu Studio, Handy, other integrations)."
            )
        case .lost:
            ("the connection broke", "The bridge connects again. If it breaks often, check the printer's Wi-Fi.")
        case .silent:
            (
                "the printer accepts the connection and sends no report",
                "Close other programs that read this printer. If that does not help, \(context.restart)."
            )
        case .unsupported:
            (
                "only Bambu Lab printers send this report",
                "Set telemetry to false, or, for a Bambu Lab printer, set model."
            )
        }
    }

    private static func wayToProof(_ report: ProbeReport, _ context: HintContext) -> String {
        report.failure?.reason == .certificateChanged ? changedCertificate(report, context) : proof(report, context)
    }

    private static func wayToAcceptance(_ context: HintContext) -> String {
        """
        To prove the printer, \(context.installation.getAuthorities). The certificate can be accepted after a probe of the \
        camera has seen it, without camera_url, and with certificate: pinned.
        """
    }

    /// What to do about a failing camera by what the printer itself says; nil where the probe's own hint is better.
    static func text(for verdict: WitnessVerdict, _ failure: ProbeFailure, _ printer: HintContext) -> String? {
        if failure.reason.needsNoWitness { return nil }
        return switch verdict {
        case .liveviewOff: "\(liveview) is off: switch it on."
        case .alive where !failure.mayBeHanging: nil
        case .alive:
            // The commonest cause by far is another viewer, also where the printer says that liveview is on.
            "The printer works: its camera is busy or hangs. Close other viewers, such as Home Assistant's Generic Camera "
                + "with the camera's own address. \(printer.lastResort)"
        case .codeRefused: codeRefused
        case .otherPrinter: otherPrinter
        case .noCamera:
            "The printer reports that it has no working camera: check the camera and its cable."
        case .calibrating: "The printer is calibrating its camera: wait until that is done."
        case .updating: "The printer is updating its firmware: wait until that is done."
        case .noAnswer: nil
        }
    }
}

extension ProbeFailure {
    fileprivate var mayBeHanging: Bool {
        switch (reason, cause) {
        case (_, .closedAfterTLS), (_, .silentAfterAnswer): true
        case (.tcpRefused, nil), (.closedEarly, nil), (.tlsTimeout, nil), (.rtspTimeout, nil): true
        case (.noVideo, nil), (.noFrame, nil): true
        default: false
        }
    }
}
