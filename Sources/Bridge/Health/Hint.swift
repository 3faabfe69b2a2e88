public import RTSP

/// What a person can do about a probe that failed.
public enum Hint {
    /// One or two sentences for a failure; the same failure always gives the same hint.
    public static func text(for failure: ProbeFailure, model: PrinterModel = .auto) -> String {
        if !model.hasRTSPS && [.dns, .tcp, .tls].contains(failure.stage) {
            return "P1 and A1 printers have no RTSPS stream: check the model setting."
        }
        return text(for: failure.reason)
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
            "The certificate is not the printer's: check serial and the CA file, or set certificate to pinned."
        case .certificateChanged:
            """
            Another certificate than before: somebody may be in between. If the printer was reset or replaced, set \
            certificate to any, wait for a check, and set it back to pinned.
            """
        case .rtspInvalid:
            "What answers is not the printer's camera: check printer_ip and stream_port."
        case .unauthorized:
            "The access code is wrong: read it again from the printer's screen (it changes with the network)."
        case .notFound:
            "The printer has no stream at this path: check stream_path."
        case .redirected:
            "The camera sends us elsewhere, which a printer does not do: check printer_ip."
        case .noVideo:
            "The camera offers no video: restart the printer, and check that its camera is switched on."
        case .busy:
            "The camera serves all the viewers it can: close another viewer."
        case .noFrame:
            "The camera promised video and sent none: restart the printer."
        case .closedEarly:
            """
            The camera closed the connection: switch LAN Mode Liveview on, on the printer's screen (Settings > \
            General > LAN Mode), or restart the printer.
            """
        }
    }
}
