public import RTSP

/// What a person can do about a probe that failed.
public enum Hint {
    /// One or two sentences for a probe that failed; the same failure always gives the same hint.
    public static func text(for report: ProbeReport) -> String? {
        report.failure.map { failure in
            failure.cause.map(text) ?? text(for: failure.reason, on: report.streamProtocol)
        }
    }

    /// What to do about a cause, whatever the reason.
    static func text(for cause: ProbeCause) -> String {
        switch cause {
        case .basicWithheld:
            """
            Printers do not ask for the access code itself: check printer_ip. If it is right, compare the certificate, then \
            accept it ('Accept certificate', or printer2mqtt printer accept-certificate).
            """
        case .basicInClear:
            "Printers do not ask for the access code in clear: check the address, and use rtsps:// in the place of rtsp://."
        case .loginWithheld:
            """
            Check that the certificate's name is the serial number of the printer, then accept it ('Accept certificate', or \
            printer2mqtt printer accept-certificate). The access code is sent after that.
            """
        case .loginWithheldElsewhereClosed:
            """
            P1 or A1 printer: check that the certificate's name is the serial number, then accept it ('Accept certificate'). \
            Another model: switch LAN Mode Liveview on, on its screen, and set model.
            """
        case .otherName:
            "The certificate is not this printer's: check printer_ip, and serial, which has to be the certificate's name."
        }
    }

    /// One or two sentences about a certificate that is trusted all the same.
    static func text(for doubt: CertificateDoubt) -> String {
        switch doubt {
        case .expired:
            "The printer's certificate has expired: update its firmware, and check this machine's clock."
        case .notYetValid:
            "The printer's certificate is not valid yet: check the clocks of the printer and of this machine."
        }
    }

    static func text(for reason: ProbeReason, on streamProtocol: StreamProtocol) -> String {
        switch (reason, streamProtocol) {
        case (.tcpRefused, .jpeg):
            """
            The printer answers, but not on the camera port of P1 and A1 printers: check the model setting, and that \
            LAN mode is on, on the printer's screen.
            """
        case (.noVideo, .jpeg):
            "What answers sends no pictures: newer printers than P1 and A1 do so; check the model setting."
        case _: text(for: reason)
        }
    }

    private static func text(for reason: ProbeReason) -> String {
        switch reason {
        case .dnsFailed:
            "The name has no address: check printer_ip, or use the address shown on the printer's screen."
        case .tcpRefused:
            """
            The printer answers, but its camera port is closed: switch LAN Mode Liveview on, on the printer's screen \
            (Settings > General > LAN Mode).
            """
        case .tcpTimeout:
            "Nothing answers at this address: is the printer on, in this network, and is printer_ip still right?"
        case .tlsTimeout, .rtspTimeout:
            "Restart the printer: its camera accepts connections and never answers."
        case .tlsFailed:
            "The port does not speak TLS: check stream_port, and that printer_ip is the printer's."
        case .tlsUntrusted:
            "The certificate is not the printer's: check serial and stream.printer_ca, or set certificate to pinned."
        case .certificateChanged:
            """
            Another certificate than before: somebody may be in between. If the printer was reset or replaced, compare the \
            fingerprints and accept the new one ('Accept certificate', or printer2mqtt printer accept-certificate).
            """
        case .serverUnproven:
            "Nothing proves that this is the printer: compare the certificate, then accept it."
        case .rtspInvalid:
            """
            What answers makes no sense for a camera: check printer_ip and stream_port, and if they are right, restart \
            the printer.
            """
        case .unauthorized:
            "The access code is wrong or missing: read it from the printer's screen (it changes with the network)."
        case .notFound:
            "The printer has no stream at this path: check stream_path."
        case .redirected:
            "The camera sends us elsewhere, which a printer does not do: check printer_ip."
        case .noVideo:
            "The camera offers no H.264 or H.265 video: restart the printer, and check that its camera is switched on."
        case .busy:
            "The camera serves all the viewers it can: close another viewer."
        case .noFrame:
            "The camera promised video and sent no whole picture: restart the printer."
        case .closedEarly:
            """
            The camera closed the connection: switch LAN Mode Liveview on, on the printer's screen (Settings > \
            General > LAN Mode), or restart the printer.
            """
        }
    }
}
