package import CameraProtocols
package import PrinterReport
package import StoredSettings

/// What is known of a printer beside the probe that failed: it decides which cause is likely.
package struct HintContext: Sendable, Hashable {
    package var model: PrinterModel
    /// The serial number as configured; empty if it is not known.
    package var serial: String
    package var port: Int
    /// The scheme of the address of a camera that is no Bambu Lab printer's; nil for one that is.
    package var scheme: StreamURL.Scheme?
    package var hasWorked: Bool
    /// How the bridge was installed: hints name commands as they work there.
    package var installation = Installation.plain
    /// Why the camera fails by what the printer itself says; nil if it was not asked, or does not know.
    package var verdict: WitnessVerdict?
    /// How the reader accepts the certificate, as the end of a sentence.
    package var acceptAction = "press 'Accept certificate'"
    private let trust: CertificateTrust

    /// With another trust than `pinned` the bridge would not accept the certificate.
    var acceptance: String { trust == .pinned ? acceptAction : "set certificate to pinned, then \(acceptAction)" }

    /// Whether the camera may be any maker's.
    var isOther: Bool { scheme != nil }
    var device: String { isOther ? "camera" : "printer" }
    /// `rtsp` or `http`, also for the schemes with TLS.
    var plainScheme: String { (scheme?.streamProtocol ?? .rtsp).rawValue }
    /// The settings to check if something else answers, as a part of a sentence.
    var place: String { isOther ? "scheme, host and port in camera_url" : "printer_ip and stream_port" }
    /// What to do about a name that has no address, as the end of a sentence.
    var numericAddress: String {
        isOther
            ? "write the camera's IP address into camera_url"
            : "set printer_ip to the address on the printer's screen"
    }
    /// The programs that often view a printer's camera, in brackets.
    var otherViewers: String { isOther ? "" : " (Bambu Studio, Handy, other programs)" }
    /// What to do about a camera that hangs, as the end of a sentence.
    var restart: String {
        isOther
            ? "restart the camera (a whole printer only when it does not print)"
            : "restart the printer when it does not print"
    }
    /// What to do after 'close other viewers'.
    var lastResort: String { "If there are none, \(restart)." }

    /// What the printer's camera speaks, by its model or serial number; nil if neither tells.
    var streamProtocol: StreamProtocol? { PrinterFamily(model, serial: serial)?.streamProtocol }

    package init(
        _ settings: PrinterSettings.Snapshot = PrinterSettings.Snapshot(),
        hasWorked: Bool = false,
        on installation: Installation = .plain
    ) {
        self.installation = installation
        model = settings.knownModel
        (serial, trust) = (settings.serial, settings.certificate)
        let url = settings.hasCameraURL ? settings.endpointURL : nil
        (scheme, port) = (url?.scheme, url?.port ?? settings.streamPort)
        self.hasWorked = hasWorked
    }

    package init(_ target: ProbeTarget, on installation: Installation = .plain) {
        self.installation = installation
        (model, serial, port, trust) = (target.model, target.serial, target.url.port, target.trust)
        scheme = target.isOtherCamera ? target.url.scheme : nil
        hasWorked = false
    }

    /// For an address that a person typed; RTSPS counts as a Bambu Lab printer, because few other cameras speak it.
    package init(_ url: StreamURL) {
        self.init()
        (scheme, port) = (url.scheme == .rtsps ? nil : url.scheme, url.port)
    }
}
