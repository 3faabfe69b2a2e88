package import RTSP

/// What a person can do about a probe that failed.
package enum Hint {
    /// One or two sentences for a probe that failed; the same failure always gives the same hint.
    package static func text(for report: ProbeReport) -> String? {
        report.failure.map { failure in
            failure.cause.map(text) ?? text(for: failure.reason, on: report.streamProtocol)
        }
    }

    /// What happened and what to do about it, in whole sentences.
    ///
    /// - Parameters:
    ///   - message: What happened; it begins with a small letter, and has no full stop.
    ///   - hint: What to do.
    /// - Returns: Both, or the one that there is.
    package static func sentences(_ message: String?, _ hint: String?) -> String? {
        let first = message.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
        let sentences = [first, hint].compactMap(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// What to do about a cause, whatever the reason.
    static func text(for cause: ProbeCause) -> String {
        switch cause {
        case .basicWithheld:
            """
            Printers do not ask for the access code itself: check printer_ip. If it is right, set certificate to printer_ca; or, if \
            the certificate's name is the serial number, accept it ('Accept certificate', or printer2mqtt printer accept-certificate).
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
        case .closedAfterTLS:
            """
            The camera closed the connection before any answer: switch LAN Mode Liveview off and on again, on the printer's \
            screen (Settings > General > LAN Mode), or restart the printer.
            """
        case .closedAfterDescribe:
            "The camera gives its stream to one viewer at a time, and somebody is watching: close the other viewer."
        case .closedWhilePlaying:
            "The camera stopped the stream: another viewer may have taken it. Close other viewers, then probe again."
        case .answerCutOff:
            "The camera's answer ends in the middle: check the network between the bridge and the printer, or restart the printer."
        case .silentAfterAnswer:
            "The camera answered, then fell silent: close other viewers. If that does not help, restart the printer."
        case .noUsableChallenge:
            """
            The server asks for the access code in a way that printers do not, so the code was not tried: check printer_ip \
            and stream_port.
            """
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
        case .flood:
            "The server sends more than a camera has to say: check printer_ip and stream_port."
        }
    }

    /// One or two sentences about a certificate that is trusted all the same.
    static func text(for issue: CertificateValidityIssue) -> String {
        switch issue {
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
            The printer answers, but not on the camera port of P1 and A1 printers: check the model setting, or restart \
            the printer.
            """
        case (.closedEarly, .jpeg):
            "The camera closed the connection: close other viewers. If that does not help, restart the printer."
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
            (Settings > General > LAN Mode). P1 and A1 printers have another port: check the model setting.
            """
        case .tcpTimeout:
            """
            Nothing answers at this address: is the printer on, in this network, and is printer_ip still right? If a firewall \
            is on the way, it has to let stream_port through, or 6000 for P1 and A1 printers with model set.
            """
        case .tlsTimeout, .rtspTimeout:
            "Restart the printer: its camera accepts connections and never answers."
        case .tlsFailed:
            "The port does not speak TLS as a printer does: check stream_port, and that printer_ip is the printer's."
        case .tlsUntrusted:
            "The certificate is not the printer's: check serial and stream.printer_ca, or set certificate to pinned."
        case .certificateChanged:
            """
            The certificate has changed: another device may intercept the connection. If the printer was reset or replaced, compare the \
            fingerprints and accept the new one ('Accept certificate', or printer2mqtt printer accept-certificate).
            """
        case .serverUnproven:
            "Nothing proves that this is the printer: compare the certificate, then accept it."
        case .rtspInvalid:
            """
            The server's answer is not what a camera sends: check printer_ip and stream_port, and if they are right, restart \
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
