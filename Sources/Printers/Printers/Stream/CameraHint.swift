import CameraProtocols

/// A hint for the camera at `camera_url`, which may be any maker's: nothing that is known of Bambu Lab printers holds for it.
struct CameraHint {
    private static let login = "set stream_user (bblp unless set) and access_code to the camera's user and password"

    let scheme: StreamURL.Scheme
    let camera: HintContext

    func text(for failure: ProbeFailure) -> String {
        if plain == "http", (failure.reason, failure.cause) == (.noFrame, .flood) {
            return
                "The camera's pictures have no end, or are too large: choose a smaller size in the camera's settings."
        }
        return failure.cause.map(text(for:)) ?? text(for: failure.reason)
    }

    /// `rtsp` or `http`, also for the schemes with TLS.
    private var plain: String { scheme.streamProtocol.rawValue }

    private func text(for cause: ProbeCause) -> String {
        switch cause {
        case .basicInClear, .loginInClear:
            """
            The camera asks for a login over a connection that others can read, so user and password were not sent. Use \
            \(plain)s:// in camera_url if the camera has it. If you trust your network, set login_in_clear to true.
            """
        case .basicWithheld, .loginWithheld, .loginWithheldElsewhereClosed: unproven
        case .otherName: "The certificate has another name than serial says: check camera_url, then serial."
        case .certificateExpired:
            """
            The camera's certificate has expired: check this machine's clock, then renew the certificate. With certificate: pinned \
            the date does not matter.
            """
        case .certificateNotYetValid:
            "The camera's certificate is not valid yet: check the clocks of this machine and of the camera."
        case .issuerUnknown:
            "The file in stream.printer_ca does not hold the authority of this certificate: add it, or set certificate to pinned."
        case .forgedCertificate:
            "The certificate names an authority that did not sign it: another device may pose as the camera. Check camera_url."
        case .authorityUnreadable:
            "The bridge cannot read the file in stream.printer_ca: check its path, and who may read it."
        case .oldTLS: "The camera speaks only TLS 1.1 or older, which is not safe: update its firmware."
        case .clientCertificateWanted:
            "The server wants a certificate or ciphers that the bridge does not have: check host and port in camera_url."
        case .resolverSilent:
            "No name server answers: check this machine's network, or write the camera's IP address into camera_url."
        case .plainNotUnderstood:
            "The server does not speak this protocol without TLS: check the port in camera_url, or use \(plain)s://."
        case .closedAfterTLS: text(for: ProbeReason.closedEarly)
        case .closedAfterDescribe, .closedWhilePlaying:
            "The camera ends the stream, as with too many viewers: close other viewers, then probe again."
        case .answerCutOff:
            "The camera's answer ends in the middle: check the network between the bridge and the camera."
        case .silentAfterAnswer:
            "The camera answered, then fell silent: close other viewers. \(camera.lastResort)"
        case .noUsableChallenge:
            "The camera accepts no login in the way that it asks for one: check camera_url, user and password, and its firmware."
        case .noUser, .noPassword: "The camera asks for a login: \(Self.login)."
        case .passwordTooLong: "User and password are longer than the camera's protocol permits: check access_code."
        case .noTCPTransport:
            "The camera does not send its stream over the RTSP connection itself: set the camera to RTSP over TCP."
        case .serverFault:
            """
            The server answers, but the camera behind it fails: check that the camera is plugged in, and that its program runs.
            """
        case .notAcceptable:
            """
            The camera refuses its stream, as with too many viewers: close the others, and check the path in camera_url. \
            \(camera.lastResort)
            """
        case .otherProtocol, .flood:
            "What answers is not what a camera sends: check scheme, host and port in camera_url."
        case .heldHere: Hint.heldHere
        }
    }

    private func text(for reason: ProbeReason) -> String {
        switch (reason, camera.hasWorked) {
        case (.dnsFailed, _):
            "The name has no address: check it in camera_url, or write the camera's IP address there."
        case (.tcpRefused, true):
            """
            The camera worked before, and its port is closed now: if it was just switched on, wait. Otherwise check that the \
            camera's program runs.
            """
        case (.tcpRefused, false):
            "Port \(camera.port) is closed: check that the camera's program runs, and the port in camera_url."
        case (.tcpTimeout, true):
            """
            Nothing answers, but the camera worked at this address: check that it is switched on, and whether it has another \
            address now.
            """
        case (.tcpTimeout, false):
            """
            Nothing answers at this address: check that the camera is switched on, and the host in camera_url. A firewall must \
            allow TCP port \(camera.port).
            """
        case (.closedEarly, _):
            """
            The camera closed the connection: check the port in camera_url, and close other viewers. \(camera.lastResort)
            """
        case (.tlsTimeout, _), (.rtspTimeout, _):
            """
            The camera accepts connections and does not answer, as with too many viewers: close the others. \(camera.lastResort)
            """
        case (.tlsFailed, _):
            "The port does not speak TLS: check the port in camera_url, or use \(plain):// there."
        case (.tlsUntrusted, _):
            "The certificate is not trusted: check that it names the host, and stream.printer_ca, or set certificate to pinned."
        case (.certificateChanged, _):
            """
            New certificate; user and password were not sent. If the camera was updated, reset or replaced, \
            \(camera.acceptance). Otherwise check camera_url.
            """
        case (.serverUnproven, _): unproven
        case (.rtspInvalid, _):
            "The server's answer is not what a camera sends: check scheme, port and path in camera_url."
        case (.unauthorized, _): "The camera refuses the login, or wants one: \(Self.login)."
        case (.notFound, _):
            "There is nothing at this path: check it in camera_url. Usual paths: \(paths)."
        case (.redirected, _):
            plain == "http"
                ? "The camera points to another address: open camera_url in a browser, and take over the address that it shows."
                : "The camera points to another address: if that is the camera's, write it into camera_url."
        case (.noVideo, _):
            plain == "http"
                ? "This is no JPEG picture, perhaps a page around it: write the picture's own address, such as …/?action=stream."
                : "The camera offers no H.264 or H.265 video: check the path in camera_url, and the camera's video format."
        case (.busy, _): "The camera has as many viewers as it can serve: close one of them."
        case (.noFrame, _):
            """
            The camera promised pictures and sent no whole one: close other viewers. \(camera.lastResort)
            """
        }
    }

    private var unproven: String {
        """
        User and password were not sent: the camera wants the password itself, and nothing proves that it is yours. If its \
        certificate is the one that you know, \(camera.acceptance).
        """
    }

    /// The known paths of the protocol, without those of go2rtc (port 8554), whose owner names the streams.
    private var paths: String {
        let urls = CameraPreset.all.compactMap { try? StreamURL(parsing: $0.url(at: "camera")) }
        let others = urls.filter { $0.scheme.streamProtocol == scheme.streamProtocol && $0.port != 8_554 }
        return Set(others.map(\.path)).sorted().joined(separator: ", ")
    }
}
