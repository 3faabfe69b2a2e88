import CameraProtocols
import PrinterReport

extension PrinterTelemetry {
    /// What keeps the report away, in a sentence without its capital and full stop; nil if nothing does.
    package var message: String? { Hint.link(link, problem)?.message }

    package var hint: String? { Hint.link(link, problem)?.hint }
}

extension Hint {
    fileprivate static func link(_ status: LinkStatus, _ problem: LinkProblem?) -> (message: String, hint: String)? {
        switch (status, problem) {
        case (_, let problem?): text(for: problem)
        case (.yielding, _):
            (
                "three connections broke within a minute of their start, as when other programs want the same place",
                "The bridge tries again after 30 minutes. Close other programs that read this printer, or set telemetry to false."
            )
        case (.waiting, _):
            (
                "the whole report has not arrived",
                "Wait: the bridge asks for it at most every five minutes, since that costs the printer much."
            )
        case (.unconfigured, _):
            (
                "the address, the serial number or the access code is not set",
                "Set printer_ip, serial and access_code: the report is addressed by the serial number."
            )
        case (.connecting, _), (.connected, _), (.lost, _), (.refused, _): nil
        }
    }

    private static func text(for problem: LinkProblem) -> (message: String, hint: String) {
        switch problem {
        case .unreachable:
            (
                "nothing answers on port 8883",
                "Check that the printer is switched on, and printer_ip. An A1 opens the port only in LAN Only mode."
            )
        case .tlsFailed:
            ("the TLS handshake failed", "Check printer_ip, and telemetry_host: the proxy must pass TLS through.")
        case .serverUnproven:
            (
                "nothing proves that the server is the printer, so the access code was not sent",
                "Get the vendor's authorities, or accept the certificate after comparing its name with the serial number on the printer."
            )
        case .otherPrinter:
            (
                "the certificate is another printer's, so the access code was not sent",
                "Another printer may have this address: check printer_ip, then serial."
            )
        case .codeRefused:
            (
                "the printer refuses the access code",
                "Read the access code from the printer's screen and set it. The bridge tries again when a setting has changed."
            )
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
                "Close other programs that read this printer. If that does not help, \(HintContext().restart)."
            )
        case .unsupported:
            (
                "only Bambu Lab printers send this report",
                "Set telemetry to false, or, for a Bambu Lab printer, set model."
            )
        }
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
        case .codeRefused: text(for: .codeRefused).hint
        case .otherPrinter: text(for: .otherPrinter).hint
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
