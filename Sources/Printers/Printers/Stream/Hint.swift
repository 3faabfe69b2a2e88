package import CameraProtocols
import OpenSSL

/// What a person can do about a probe that failed.
package enum Hint {
    /// A few sentences for a probe that failed; the same failure of the same printer always gives the same hint.
    package static func text(for report: ProbeReport, of printer: HintContext = HintContext()) -> String? {
        report.failure.map { failure in
            if let scheme = printer.scheme { return CameraHint(scheme: scheme, camera: printer).text(for: failure) }
            // What the printer itself says is proven.
            return printer.verdict.flatMap { text(for: $0, failure, printer) }
                ?? failure.cause.map { text(for: $0, report, printer) }
                ?? text(for: failure.reason, report, printer)
        }
    }

    private static func text(for cause: ProbeCause, _ report: ProbeReport, _ printer: HintContext) -> String {
        switch cause {
        case .basicWithheld:
            """
            Check printer_ip: printers with RTSPS do not ask for the access code itself. If the address is right, set serial and \
            \(printer.installation.getAuthorities), or accept the certificate if its name is the serial number on the printer.
            """
        case .basicInClear:
            "Printers do not ask for the access code in clear: check the address, and use rtsps:// in the place of rtsp://."
        case .loginInClear:
            """
            The camera asks for a login over a connection that others can read. Use https:// or rtsps:// if the camera has it. \
            Set login_in_clear to true if you trust your network.
            """
        case .loginWithheld: unproven(report, printer)
        case .loginWithheldElsewhereClosed: unprovenOfAnyModel(report, printer)
        case .otherName: otherName(report, printer)
        case .certificateExpired:
            """
            The printer's certificate has expired: check this machine's clock, then update the printer's firmware. With \
            certificate: pinned the date does not matter.
            """
        case .certificateNotYetValid:
            "The printer's certificate is not valid yet: check the clocks of this machine and of the printer."
        case .issuerUnknown:
            """
            The file in stream.printer_ca does not hold the authority of this certificate: add the vendor's newer or \
            intermediate certificates to it, or set certificate to pinned.
            """
        case .forgedCertificate:
            """
            The certificate names the vendor and this printer, but the vendor did not sign it: another device may pose as the \
            printer. The access code was not sent. Check printer_ip.
            """
        case .authorityUnreadable:
            "The bridge cannot read the vendor's certificates: check the path in stream.printer_ca, and who may read the file."
        case .oldTLS:
            "The camera speaks only TLS 1.1 or older, which is not safe: update the printer's firmware."
        case .clientCertificateWanted:
            "The server wants a certificate or ciphers that a printer does not ask for: check printer_ip and stream_port."
        case .resolverSilent:
            "No name server answers: check this machine's network, or set printer_ip to the address on the printer's screen."
        case .plainNotUnderstood:
            "The server does not speak RTSP without TLS: use rtsps:// in the place of rtsp://, as printers do."
        case .closedAfterTLS: noConnection(.closedEarly, report.streamProtocol, printer)
        case .closedAfterDescribe:
            "The camera gives its stream to one viewer at a time, and somebody is watching: close the other viewer."
        case .closedWhilePlaying:
            "The camera stopped the stream: another viewer may have taken it. Close other viewers, then probe again."
        case .answerCutOff:
            "The camera's answer ends in the middle: check the network between the bridge and the printer."
        case .silentAfterAnswer:
            "The camera answered, then fell silent: close other viewers. \(printer.lastResort)"
        case .noUsableChallenge:
            "The server asks for the access code in a way that printers do not: check printer_ip and stream_port."
        case .noUser:
            "The server asks for a user: set stream_user to bblp, or write rtsps://bblp@… in the address."
        case .noPassword:
            "The server asks for the access code, and none is set: read it from the printer's screen."
        case .passwordTooLong:
            "User and access code have at most 32 bytes each on P1 and A1 printers: check the access code."
        case .noTCPTransport:
            "The server does not send its stream over this connection, as printers do: check printer_ip and stream_port."
        case .otherProtocol:
            "What answers is not the camera of a P1 or A1 printer: check the model setting, or set it to auto."
        case .serverFault:
            "The camera reports a fault of its own: \(printer.restart)."
        case .notAcceptable:
            """
            The camera refuses its stream, as with too many viewers: close the others (Bambu Studio, Handy, other programs). \
            \(printer.lastResort)
            """
        case .flood:
            "Check printer_ip and stream_port: the server sends more than a camera does."
        case .heldHere: heldHere
        }
    }

    static let heldHere = "Stop watching, and try again. If the recorder has the camera, try again after the print."

    /// One or two sentences about a certificate that is trusted nevertheless; nil if it is valid.
    static func text(for validity: CertificateReport.Validity) -> String? {
        switch validity {
        case .valid: nil
        case .expired:
            "The camera's certificate has expired: update its firmware, and check this machine's clock."
        case .notYetValid:
            "The camera's certificate is not valid yet: check the clocks of the camera and of this machine."
        }
    }

    private static func text(for reason: ProbeReason, _ report: ProbeReport, _ printer: HintContext) -> String {
        switch reason {
        case .dnsFailed:
            "The name has no address: check printer_ip, or use the address shown on the printer's screen."
        case .tcpRefused, .tcpTimeout, .closedEarly: noConnection(reason, report.streamProtocol, printer)
        case .tlsTimeout, .rtspTimeout:
            """
            The camera accepts connections and does not answer, as with too many viewers: close the others (Bambu Studio, \
            Handy, other programs). \(printer.lastResort)
            """
        case .tlsFailed:
            "The port does not speak TLS as a printer does: check stream_port, and that printer_ip is the printer's."
        case .tlsUntrusted:
            "The certificate is not the printer's: check serial and stream.printer_ca, or set certificate to pinned."
        case .certificateChanged: changedCertificate(report, printer)
        case .serverUnproven: unproven(report, printer)
        case .rtspInvalid:
            "The server's answer is not what a camera sends: check printer_ip and stream_port. If they are right, \(printer.restart)."
        case .unauthorized:
            """
            The access code is wrong or missing. Read it from the printer's screen: it changes when the printer joins another \
            network, and when it is renewed.
            """
        case .notFound:
            "The printer has no stream at this path: check stream_path."
        case .redirected:
            "Check printer_ip: what answers points to another address, and a printer does not do that."
        case .noVideo:
            "The camera offers no H.264 or H.265 video: check that its camera is switched on. If it is, \(printer.restart)."
        case .busy:
            "The camera has as many viewers as it can serve: close one of them (Bambu Studio, Handy, other programs)."
        case .noFrame:
            "The camera promised video and sent no whole picture: close other viewers. \(printer.lastResort)"
        }
    }
}
