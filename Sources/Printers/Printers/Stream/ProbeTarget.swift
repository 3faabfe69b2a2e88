package import CameraProtocols
package import StoredSettings

/// Everything about a printer that decides what a probe of it finds; nil when it is not to be probed.
package struct ProbeTarget: Sendable, Hashable {
    /// Where the stream is if the camera does not send JPEG over TLS.
    package var url: StreamURL
    /// Where the pictures are if it sends JPEG; nil when user or access code are longer than that protocol has room for.
    package var pictures: StreamURL?
    package var trust: CertificateTrust
    /// The serial number that the certificate should name.
    package var serial: String
    package var depth: ProbeDepth
    package var model: PrinterModel
    /// Whether it is the camera at `camera_url`, of which nothing more is known.
    package var isOtherCamera: Bool
    /// What the camera speaks, as the settings tell; nil if the probe must find out.
    package var streamProtocol: StreamProtocol?
    /// Which login may be sent to the camera over a connection without TLS.
    package var clearLogin: ClearLogin

    /// With `isRoutine: false` the target of a person's probe: `probe_enabled: false` stops routine probes only.
    package init?(_ settings: PrinterSettings.Snapshot, isRoutine: Bool = true) {
        guard settings.probeEnabled || !isRoutine, let url = settings.endpointURL else { return nil }
        self.url = url
        pictures = settings.pictures
        trust = settings.certificate
        serial = settings.serial
        depth = settings.probeDepth
        model = settings.knownModel
        isOtherCamera = settings.hasCameraURL
        streamProtocol = settings.streamProtocol
        clearLogin = settings.loginInClear ? .any : .never
    }

    /// What the camera speaks, also as an earlier probe found out here; nil while it is not known.
    package func streamProtocol(known: CameraRecord?) -> StreamProtocol? {
        streamProtocol ?? known?.own?.streamProtocol(at: url)
    }

    /// Where a camera with that protocol is; nil if it sends JPEG, and its login is too long for that.
    package func url(spokenIn streamProtocol: StreamProtocol?) -> StreamURL? {
        streamProtocol == .jpeg ? pictures : url
    }

    /// Where it is, for people; without the access code.
    package func address(spokenTo streamProtocol: StreamProtocol) -> String {
        url(spokenIn: streamProtocol)?.withoutUserInfo ?? url.host
    }
}
