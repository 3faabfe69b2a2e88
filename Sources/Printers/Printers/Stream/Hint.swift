package import CameraProtocols
import OpenSSL

/// What a person can do about a probe that failed.
package enum Hint {
    /// A few sentences for a probe that failed; the same failure of the same printer always gives the same hint.
    ///
    /// For the camera at `camera_url`, which may be any maker's, nothing that is known of Bambu Lab printers holds.
    package static func text(for report: ProbeReport, of camera: HintContext = HintContext()) -> String? {
        report.failure.map { failure in
            if camera.plainScheme == "http", (failure.reason, failure.cause) == (.noFrame, .flood) {
                return
                    "The camera's pictures have no end, or are too large: choose a smaller size in the camera's settings."
            }
            // What the printer itself says is proven.
            return camera.verdict.flatMap { camera.isOther ? nil : text(for: $0, failure, camera) }
                ?? failure.cause.map { text(for: $0, report, camera) }
                ?? text(for: failure.reason, report, camera)
        }
    }

    private static func text(for cause: ProbeCause, _ report: ProbeReport, _ camera: HintContext) -> String {
        switch cause {
        case .basicWithheld where !camera.isOther:
            """
            Check printer_ip: printers with RTSPS do not ask for the access code itself. If the address is right, set serial and \
            \(camera.installation.getAuthorities), or accept the certificate if its name is the serial number on the printer.
            """
        case .loginWithheldElsewhereClosed where !camera.isOther && camera.streamProtocol != .jpeg:
            unprovenOfAnyModel(report, camera)
        case .basicWithheld, .loginWithheld, .loginWithheldElsewhereClosed: unproven(report, camera)
        case .basicInClear, .loginInClear:
            """
            The camera asks for a login over a connection that others can read, so user and password were not sent. Use \
            \(camera.plainScheme)s:// in camera_url if the camera has it. If you trust your network, set login_in_clear to true.
            """
        case .otherName: otherName(report, camera)
        case .certificateExpired:
            """
            The \(camera.device)'s certificate has expired: check this machine's clock, then \
            \(camera.isOther ? "renew the certificate" : "update the printer's firmware"). With certificate: pinned the date \
            does not matter.
            """
        case .certificateNotYetValid:
            "The \(camera.device)'s certificate is not valid yet: check the clocks of this machine and of the \(camera.device)."
        case .issuerUnknown:
            """
            The file in stream.printer_ca does not hold the authority of this certificate: add \
            \(camera.isOther ? "it" : "the vendor's newer or intermediate certificates"), or set certificate to pinned.
            """
        case .forgedCertificate where camera.isOther:
            "The certificate names an authority that did not sign it: another device may pose as the camera. Check camera_url."
        case .forgedCertificate:
            """
            The certificate names the vendor and this printer, but the vendor did not sign it: another device may pose as the \
            printer. The access code was not sent. Check printer_ip.
            """
        case .authorityUnreadable:
            "The bridge cannot read the file in stream.printer_ca: check its path and its permissions."
        case .oldTLS:
            "The camera speaks only TLS 1.1 or older, which is not safe: update the \(camera.device)'s firmware."
        case .clientCertificateWanted:
            "The server wants a certificate or ciphers that the bridge does not have: check \(camera.place)."
        case .resolverSilent: "No name server answers: check this machine's network, or \(camera.numericAddress)."
        case .plainNotUnderstood:
            "The server does not speak this protocol without TLS: check \(camera.place), or use \(camera.plainScheme)s://."
        case .closedAfterTLS: text(for: .closedEarly, report, camera)
        case .closedAfterDescribe where !camera.isOther:
            "The camera gives its stream to one viewer at a time, and somebody is watching: close the other viewer."
        case .closedAfterDescribe, .closedWhilePlaying:
            "The camera ends the stream, as with too many viewers: close other viewers, then probe again."
        case .answerCutOff:
            "The camera's answer ends in the middle: check the network between the bridge and the \(camera.device)."
        case .silentAfterAnswer:
            "The camera answered, then fell silent: close other viewers. \(camera.lastResort)"
        case .noUsableChallenge:
            camera.isOther
                ? "The camera accepts no login in the way that it asks for one: check camera_url, user and password, and its firmware."
                : "The server asks for the access code in a way that printers do not: check printer_ip and stream_port."
        case .noUser where camera.isOther, .noPassword where camera.isOther:
            "The camera asks for a login: \(login)."
        case .noUser:
            "The server asks for a user: set stream_user to bblp, or write rtsps://bblp@… in the address."
        case .noPassword:
            "The server asks for the access code, and none is set: read it from the printer's screen."
        case .passwordTooLong:
            camera.isOther
                ? "User and password are longer than the camera's protocol permits: check access_code."
                : "User and access code have at most 32 bytes each on P1 and A1 printers: check the access code."
        case .noTCPTransport:
            """
            The camera does not send its stream over the RTSP connection itself: \
            \(camera.isOther ? "set the camera to RTSP over TCP" : "check \(camera.place)").
            """
        case .serverFault:
            camera.isOther
                ? "The server answers, but the camera behind it fails: check that the camera is plugged in, and that its program runs."
                : "The camera reports a fault of its own: \(camera.restart)."
        case .notAcceptable:
            """
            The camera refuses its stream, as with too many viewers: close the others\(camera.otherViewers)\
            \(camera.isOther ? ", and check the path in camera_url" : ""). \(camera.lastResort)
            """
        case .otherProtocol where !camera.isOther:
            "What answers is not the camera of a P1 or A1 printer: check the model setting, or set it to auto."
        case .otherProtocol, .flood: "What answers is not what a camera sends: check \(camera.place)."
        case .heldHere: "Stop watching, and try again. If the recorder has the camera, try again after the print."
        }
    }

    private static let login = "set stream_user (bblp unless set) and access_code to the camera's user and password"

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

    private static func text(for reason: ProbeReason, _ report: ProbeReport, _ camera: HintContext) -> String {
        switch reason {
        case .dnsFailed: "The name has no address: check it, or \(camera.numericAddress)."
        case .tcpRefused, .tcpTimeout, .closedEarly:
            camera.isOther ? noConnection(reason, camera) : noConnection(reason, report.streamProtocol, camera)
        case .tlsTimeout, .rtspTimeout:
            """
            The camera accepts connections and does not answer, as with too many viewers: close the \
            others\(camera.otherViewers). \(camera.lastResort)
            """
        case .tlsFailed:
            "The port does not speak TLS: check \(camera.place)\(camera.isOther ? ", or use \(camera.plainScheme)://" : "")."
        case .tlsUntrusted:
            """
            The certificate is not \(camera.isOther ? "trusted: check that it names the host," : "the printer's: check serial") \
            and stream.printer_ca, or set certificate to pinned.
            """
        case .certificateChanged: changedCertificate(report, camera)
        case .serverUnproven: unproven(report, camera)
        case .rtspInvalid:
            """
            The server's answer is not what a camera sends: check \
            \(camera.isOther ? "scheme, port and path in camera_url" : "\(camera.place). If they are right, \(camera.restart)").
            """
        case .unauthorized where camera.isOther: "The camera refuses the login, or wants one: \(login)."
        case .unauthorized:
            """
            The access code is wrong or missing. Read it from the printer's screen: it changes when the printer joins another \
            network, and when it is renewed.
            """
        case .notFound:
            """
            There is nothing at this path: check \
            \(camera.isOther ? "it in camera_url. Usual paths: \(usualPaths(camera))" : "stream_path").
            """
        case .redirected where camera.plainScheme == "http":
            "The camera points to another address: open camera_url in a browser, and take over the address that it shows."
        case .redirected:
            camera.isOther
                ? "The camera points to another address: if that is the camera's, write it into camera_url."
                : "Check printer_ip: what answers points to another address, and a printer does not do that."
        case .noVideo where camera.plainScheme == "http":
            "This is no JPEG picture, perhaps a page around it: write the picture's own address, such as …/?action=stream."
        case .noVideo:
            camera.isOther
                ? "The camera offers no H.264 or H.265 video: check the path in camera_url, and the camera's video format."
                : "The camera offers no H.264 or H.265 video: check that its camera is switched on. If it is, \(camera.restart)."
        case .busy: "The camera has as many viewers as it can serve: close one of them\(camera.otherViewers)."
        case .noFrame: "The camera promised pictures and sent no whole one: close other viewers. \(camera.lastResort)"
        }
    }
}
